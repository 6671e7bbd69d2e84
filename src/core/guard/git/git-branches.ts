import { denied, type GuardFinding, undecided } from "../guard-verdict.js";
import { isKnown, mayBe } from "../shell/open-text.js";
import { has, type ReadOptions, readOptions, textsOf } from "../shell/read-options.js";
import type { Situation } from "../situation.js";

/** A branch that would be moved or checked out, under any of its names. */
function touches(branch: string, what: string, { facts }: Situation): GuardFinding[] {
  const names = ["", "refs/heads/", "heads/"].map((start) => `${start}${facts.defaultBranch}`);
  const [start = "", end] = branch.split("*");
  const isSpread = end !== undefined && names.some((name) => name.startsWith(start) && name.endsWith(end));
  if (isSpread || names.includes(branch)) return denied("default-branch", what);
  return names.some((name) => mayBe(branch, name)) ? undecided("unknown-words") : [];
}

type BranchRule = (args: readonly string[], situation: Situation) => GuardFinding[];

const all = (branches: readonly string[], what: string, situation: Situation) =>
  branches.flatMap((branch) => touches(branch, `git ${what} ${branch}`, situation));

const checkout: BranchRule = (args, situation) => {
  const options = readOptions(args, ["-b", "-B", "--orphan", "--conflict", "--pathspec-from-file", "-U"]);
  const { operands, split } = options;
  const made = textsOf(options, "-b", "-B", "--orphan");
  if (made.length > 0) return all(made, "checkout -B", situation);
  const restoresFiles =
    operands.length > (split ?? 1) || split === 0 || has(options, "--pathspec-from-file", "-p", "--patch");
  return restoresFiles ? [] : checkedOut(operands[0], options, "checkout", situation);
};

const switching: BranchRule = (args, situation) => {
  const options = readOptions(args, ["-c", "-C", "--create", "--force-create", "--orphan", "--conflict"]);
  const made = textsOf(options, "-c", "-C", "--create", "--force-create", "--orphan");
  if (made.length > 0) return all(made, "switch -C", situation);
  return checkedOut(options.operands[0], options, "switch", situation);
};

function checkedOut(
  branch: string | undefined,
  options: ReadOptions,
  verb: string,
  situation: Situation,
): GuardFinding[] {
  if (branch === undefined) return [];
  if (branch === "-" || branch.startsWith("@{-")) return undecided("unknown-words");
  // `--track origin/x` makes a branch x.
  if (has(options, "-t", "--track"))
    return all([branch.replace(/^(refs\/)?(remotes\/)?[^/]+\//, "")], verb, situation);
  return all([branch], verb, situation);
}

const branch: BranchRule = (args, situation) => {
  const valued = [
    "-u",
    "--set-upstream-to",
    "--contains",
    "--no-contains",
    "--merged",
    "--no-merged",
    "--sort",
    "--points-at",
    "--format",
  ];
  const options = readOptions(args, valued);
  const { operands } = options;
  const lists = [
    "-l",
    "--list",
    "-a",
    "-r",
    "-v",
    "--show-current",
    "--contains",
    "--merged",
    "--points-at",
    "-u",
    "--set-upstream-to",
    "--unset-upstream",
    "--edit-description",
  ];
  if (has(options, "-d", "-D", "--delete", "-m", "-M", "--move")) return all(operands, "branch", situation);
  if (has(options, "-c", "-C", "--copy")) return all(operands.slice(-1), "branch", situation);
  return has(options, ...lists) ? [] : all(operands.slice(0, 1), "branch", situation);
};

const updateRef: BranchRule = (args, situation) => {
  const options = readOptions(args, ["-m"]);
  if (has(options, "--stdin")) return undecided("unknown-words");
  return all(options.operands.slice(0, 1), "update-ref", situation);
};

const symbolicRef: BranchRule = (args, situation) =>
  all(readOptions(args, ["-m"]).operands.slice(0, 2), "symbolic-ref", situation);

/** `git rebase <onto> <branch>` checks the second one out. */
const rebase: BranchRule = (args, situation) => {
  const options = readOptions(args, [
    "-x",
    "--exec",
    "--onto",
    "-s",
    "--strategy",
    "-X",
    "--strategy-option",
    "-C",
  ]);
  const runs = textsOf(options, "-x", "--exec").flatMap((code) => situation.text(code));
  return [...runs, ...all(options.operands.slice(has(options, "--root") ? 0 : 1), "rebase", situation)];
};

/** `from:to` writes a branch here; an address like `ext::…` is a command. */
const fetch: BranchRule = (args, situation) => {
  const valued = [
    "--upload-pack",
    "--refmap",
    "--depth",
    "-j",
    "--jobs",
    "-o",
    "--server-option",
    "--negotiation-tip",
    "--filter",
    "-s",
    "--strategy",
    "-X",
  ];
  const options = readOptions(args, valued);
  const [remote = "", ...refs] = options.operands;
  const runs = textsOf(options, "--upload-pack").flatMap((code) => situation.text(code));
  const address = /^\w+::/.test(remote) ? denied("push", `git fetch ${remote}`) : [];
  const written = [...refs, ...textsOf(options, "--refmap")].flatMap((ref) => {
    const to = ref.split(":")[1];
    return to === undefined
      ? isKnown(ref)
        ? []
        : undecided("unknown-words")
      : touches(to, `git fetch ${ref}`, situation);
  });
  return [...runs, ...address, ...written];
};

const worktree: BranchRule = (args, situation) => {
  const [verb = "", ...rest] = args;
  if (["list", "prune"].includes(verb)) return [];
  const options = readOptions(rest, ["-b", "-B", "--reason", "--expire"]);
  const [path = "", start, ...others] = options.operands;
  const made = textsOf(options, "-b", "-B");
  // Without a branch it makes one that is called like the folder.
  const taken =
    start ?? (made.length > 0 || has(options, "-d", "--detach") ? undefined : path.split("/").at(-1));
  const paths = verb === "add" ? [path] : [path, ...(start === undefined ? [] : [start]), ...others];
  return [
    ...paths.flatMap((each) => situation.path(each, "write")),
    ...(verb === "add"
      ? all([...made, ...(taken === undefined ? [] : [taken])], "worktree add", situation)
      : []),
  ];
};

/** What moves, makes or checks out branches. */
export const BRANCH_RULES: Readonly<Record<string, BranchRule>> = {
  checkout,
  switch: switching,
  branch,
  "update-ref": updateRef,
  "symbolic-ref": symbolicRef,
  rebase,
  fetch,
  pull: fetch,
  worktree,
  stash: ([verb, name = ""], situation) => (verb === "branch" ? all([name], "stash branch", situation) : []),
};
