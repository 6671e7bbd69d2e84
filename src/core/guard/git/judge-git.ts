import { denied, type GuardFinding, undecided } from "../guard-verdict.js";
import { isKnown, isPattern, mayBe, UNKNOWN } from "../shell/open-text.js";
import { readOptions, textsOf } from "../shell/read-options.js";
import type { ProgramCall, Situation } from "../situation.js";
import { BRANCH_RULES } from "./git-branches.js";
import { type GitCall, gitCall } from "./git-call.js";
import { blanks, judgeConfig, judgeSetting } from "./git-settings.js";

const PUSHES = [
  "push",
  "send-pack",
  "http-push",
  "remote-http",
  "remote-https",
  "remote-ftp",
  "remote-ext",
  "remote-fd",
  "send-email",
  "imap-send",
];
/** With a verb of their own that pushes. */
const PUSHES_BY: Readonly<Record<string, string>> = {
  subtree: "push",
  lfs: "push",
  svn: "dcommit",
  p4: "submit",
  annex: "sync",
};
const CREDENTIALS = [
  "credential",
  "credential-store",
  "credential-cache",
  "credential-libsecret",
  "credential-osxkeychain",
  "credential-manager",
];

/** They read, or write what the agent's own branch is made of. */
const HARMLESS = new Set(
  (
    "add am annotate apply archive bisect blame bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format " +
    "checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree count-objects describe diff diff-files " +
    "diff-index diff-tree difftool fast-export fmt-merge-msg for-each-ref format-patch fsck gc get-tar-commit-id grep hash-object help " +
    "index-pack init interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit merge merge-base merge-file merge-index " +
    "merge-one-file merge-tree mktag mktree mv name-rev notes pack-objects pack-refs patch-id prune prune-packed range-diff read-tree " +
    "reflog remote repack request-pull rerere reset restore rev-list rev-parse revert rm shortlog show show-branch show-index show-ref " +
    "sparse-checkout status stripspace submodule tag unpack-file unpack-objects update-index update-server-info var verify-commit " +
    "verify-pack verify-tag version whatchanged write-tree"
  ).split(" "),
);

const READS = new Set(
  "blame cat-file diff for-each-ref grep log ls-files ls-tree merge-base rev-list rev-parse shortlog show show-ref status version".split(
    " ",
  ),
);

type VerbRule = (args: readonly string[], situation: Situation) => GuardFinding[];

const writesOption =
  (...names: readonly string[]): VerbRule =>
  (args, situation) =>
    textsOf(readOptions(args, names), ...names).flatMap((path) => situation.path(path, "write"));

const VERB_RULES: Readonly<Record<string, VerbRule>> = {
  ...BRANCH_RULES,
  config: judgeConfig,
  remote: ([verb = "", ...rest]) =>
    ["set-url", "rename"].includes(verb) || (verb === "add" && rest.some((word) => /^--mirror/.test(word)))
      ? denied("git-settings", `git remote ${verb}`)
      : [],
  clone: (args, situation) => {
    const valued = [
      "-b",
      "--branch",
      "-o",
      "--origin",
      "-u",
      "--upload-pack",
      "--depth",
      "--reference",
      "--template",
      "-c",
      "--config",
      "-j",
      "--filter",
      "--separate-git-dir",
    ];
    const options = readOptions(args, valued);
    const [from = "", to] = options.operands;
    return [
      ...(/^\w+::/.test(from) ? denied("push", `git clone ${from}`) : []),
      ...textsOf(options, "-u", "--upload-pack").flatMap((code) => situation.text(code)),
      ...textsOf(options, "-c", "--config").flatMap((text) =>
        judgeSetting(text.split("=")[0] ?? "", text.split("=").slice(1).join("="), situation),
      ),
      ...(textsOf(options, "--template").length > 0 ? undecided("unread-script") : []),
      ...[to ?? ".", ...textsOf(options, "--separate-git-dir")].flatMap((path) =>
        situation.path(path, "write"),
      ),
    ];
  },
  init: (args, situation) =>
    readOptions(args, [
      "-b",
      "--initial-branch",
      "--template",
      "--separate-git-dir",
      "--object-format",
    ]).operands.flatMap((path) => situation.path(path, "write")),
  bisect: ([verb, ...rest], situation) => (verb === "run" ? situation.run(rest) : []),
  submodule: (args, situation) => {
    const at = args.indexOf("foreach");
    const code = args.slice(at + 1).filter((word) => word !== "--recursive");
    return at === -1 ? [] : code.length > 1 ? situation.run(code) : situation.text(code.join(" "));
  },
  difftool: (args, situation) =>
    textsOf(readOptions(args, ["-x", "--extcmd"]), "-x", "--extcmd").flatMap((code) => situation.text(code)),
  grep: (args, situation) =>
    textsOf(readOptions(args, ["--open-files-in-pager"]), "--open-files-in-pager").flatMap((code) =>
      situation.text(code),
    ),
  "ls-remote": (args, situation) => BRANCH_RULES.fetch?.(args, situation) ?? [],
  bundle: ([, path = ""], situation) => situation.path(path, "write"),
  archive: (args, situation) => {
    const options = readOptions(args, ["-o", "--output", "--exec", "--remote", "--format", "--prefix"]);
    return [
      ...textsOf(options, "-o", "--output").flatMap((path) => situation.path(path, "write")),
      ...textsOf(options, "--exec").flatMap((code) => situation.text(code)),
    ];
  },
  "format-patch": writesOption("-o", "--output-directory"),
  ...Object.fromEntries(["diff", "log", "show"].map((verb) => [verb, writesOption("--output")])),
};

/** Everything that is asked of git. */
export function judgeGit({ args }: ProgramCall, situation: Situation): GuardFinding[] {
  const call = gitCall(args);
  const own = call.settings.flatMap(([key, value]) => {
    const isAlias = key.toLowerCase() === `alias.${call.verb}`.toLowerCase();
    return isAlias ? [] : judgeSetting(key, value, situation);
  });
  const use = READS.has(call.verb) ? "read" : "write";
  const places = call.places.filter((place) => place !== ".git");
  const named = places.flatMap((place) => placed(place, use, situation));
  if (call.folders.length === 0) return [...own, ...named, ...judgeVerb(call, situation)];
  const cwd = call.folders.reduce<string | null>(inside, situation.cwd);
  const settings = call.settings.flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  return [
    ...placed(cwd ?? UNKNOWN, use, situation),
    ...named,
    ...situation.run(["git", ...settings, call.verb, ...call.args], { cwd }),
  ];
}

/** A repository of one's own may be named in any way, its `.git` as well. */
function placed(place: string, use: "read" | "write", situation: Situation): GuardFinding[] {
  return situation.path(place.replace(/\/\.git\/?$/, ""), use);
}

function inside(cwd: string | null, folder: string): string | null {
  if (folder.startsWith("/")) return folder;
  return cwd === null ? null : `${cwd}/${folder}`;
}

function judgeVerb(call: GitCall, situation: Situation): GuardFinding[] {
  const { verb, args } = call;
  const alias = call.settings.find(([key]) => key.toLowerCase() === `alias.${verb}`.toLowerCase())?.[1];
  if (alias !== undefined)
    return alias.startsWith("!")
      ? situation.text(`${alias.slice(1)} ${args.join(" ")}`)
      : situation.run(["git", ...blanks(alias), ...args]);
  if (!isKnown(verb)) return openVerb(verb, args);
  if (verb === "" || verb === "--version" || verb === "--help") return [];
  const [second = ""] = readOptions(args, ["-P", "--prefix"]).operands;
  if (PUSHES.includes(verb) || (Object.hasOwn(PUSHES_BY, verb) && PUSHES_BY[verb] === second))
    return denied("push", `git ${[verb, ...args].join(" ")}`);
  if (CREDENTIALS.includes(verb)) return denied("token", `git ${verb}`);
  const rule = Object.hasOwn(VERB_RULES, verb) ? VERB_RULES[verb] : undefined;
  if (rule) return rule(args, situation);
  return HARMLESS.has(verb) ? [] : undecided("unknown-program");
}

/** A pattern in this place is there to hide what is meant. */
function openVerb(verb: string, args: readonly string[]): GuardFinding[] {
  const hides = isPattern(verb) && PUSHES.some((name) => mayBe(verb, name));
  return hides ? denied("push", `git ${[verb, ...args].join(" ")}`) : undecided("unknown-words");
}
