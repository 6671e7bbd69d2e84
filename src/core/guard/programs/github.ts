import { denied, type GuardFinding, undecided } from "../guard-verdict.js";
import { isKnown } from "../shell/open-text.js";
import { has, readOptions, textsOf } from "../shell/read-options.js";
import type { ProgramRule } from "../situation.js";

const READS = new Set([
  "view",
  "list",
  "ls",
  "diff",
  "checks",
  "status",
  "search",
  "browse",
  "watch",
  "download",
  "checkout",
  "clone",
  "verify",
  "--help",
]);
const ABOUT_KEYS = new Set(["auth", "ssh-key", "gpg-key", "secret", "config", "codespace"]);
const TOPICS = new Set([
  "pr",
  "issue",
  "repo",
  "release",
  "run",
  "workflow",
  "label",
  "gist",
  "project",
  "ruleset",
  "cache",
  "variable",
  "org",
  "search",
  "status",
  "browse",
  "attestation",
  "co",
]);

/** GitHub's own command line. Agents may read with it. */
const gh: ProgramRule = ({ args }, situation) => {
  const options = readOptions(args, ["-R", "--repo", "--hostname"]);
  const [topic = "", verb = ""] = options.operands;
  const what = `gh ${args.join(" ")}`;
  if (!isKnown(topic) || !isKnown(verb)) return undecided("unknown-words");
  if (topic === "" || topic === "help" || topic === "version") return [];
  if (topic === "api") return ghApi(args, what);
  if (topic === "auth" && verb === "status" && !has(options, "-t", "--show-token")) return [];
  if (ABOUT_KEYS.has(topic)) return denied("token", what);
  if (topic === "pr" && verb === "merge") return denied("merge-pull", what);
  if (topic === "pr" && verb === "review" && (has(options, "--approve") || has(options, "-a")))
    return denied("merge-pull", what);
  if (topic === "issue" && ["close", "delete", "transfer"].includes(verb)) return denied("close-bead", what);
  if (!TOPICS.has(topic)) return undecided("unknown-program");
  // Checking a pull request out changes branches here.
  if (topic === "co" || (topic === "pr" && verb === "checkout"))
    return situation.run(["git", "checkout", options.operands[2] ?? ""]);
  return READS.has(verb) || ["search", "status", "browse"].includes(topic)
    ? []
    : denied("github-write", what);
};

function ghApi(args: readonly string[], what: string): GuardFinding[] {
  const fields = ["-f", "-F", "--raw-field", "--field"];
  const options = readOptions(args, [
    ...fields,
    "-X",
    "--method",
    "-H",
    "--header",
    "--input",
    "-q",
    "--jq",
    "-t",
    "--template",
    "--hostname",
    "-p",
    "--cache",
  ]);
  const path = options.operands[1] ?? "";
  const given = textsOf(options, ...fields);
  const method = textsOf(options, "-X", "--method").at(-1)?.toUpperCase();
  const graphql = path.replace(/^\//, "") === "graphql";
  if (graphql && method !== "DELETE") {
    if (given.some((field) => /\bmutation\b/.test(field))) return denied(aboutPath(given.join(" ")), what);
    return has(options, "--input") || given.some((field) => !isKnown(field) || field.startsWith("query=@"))
      ? undecided("unknown-words")
      : [];
  }
  const writes =
    method === undefined
      ? given.length > 0 || has(options, "--input")
      : method !== "GET" && method !== "HEAD";
  if (method !== undefined && !isKnown(method)) return undecided("unknown-words");
  return writes ? denied(aboutPath(path), what) : [];
}

/** Which of the things that agents may not do on GitHub this address is about. */
function aboutPath(path: string): "merge-pull" | "close-bead" | "github-write" {
  if (/merge|\/reviews\b|addPullRequestReview|enablePullRequestAutoMerge/i.test(path)) return "merge-pull";
  return /\/issues\/\d+$|closeIssue/.test(path) ? "close-bead" : "github-write";
}

const GITHUB = /^(https?:\/\/)?([^/@]*@)?(api\.github\.com|uploads\.github\.com|github\.com)(:\d+)?(\/|$)/i;
/** Machines of clouds are given their keys there. */
const METADATA = /169\.254\.169\.254|metadata\.google\.internal|169\.254\.170\.2|100\.100\.100\.200/;

const BODY = [
  "-d",
  "--data",
  "--data-raw",
  "--data-binary",
  "--data-urlencode",
  "--data-ascii",
  "--json",
  "-F",
  "--form",
  "--form-string",
  "-T",
  "--upload-file",
  "--post-data",
  "--post-file",
  "--body-data",
  "--body-file",
];

/** curl and wget: what they send, and where. */
const transfer: ProgramRule = ({ args }, situation) => {
  const named = ["-X", "--request", "--method", "--url"];
  const valued = [
    ...BODY,
    ...named,
    "-H",
    "--header",
    "-o",
    "--output",
    "-O",
    "-u",
    "--user",
    "-K",
    "--config",
    "-A",
    "-e",
    "-b",
    "-c",
    "-m",
    "-x",
    "-w",
    "--connect-timeout",
    "--max-time",
    "--retry",
    "-E",
    "--cert",
    "--key",
    "--cacert",
    "--unix-socket",
    "--netrc-file",
  ];
  const options = readOptions(args, situationOf(args, valued));
  const urls = [...options.operands, ...textsOf(options, "--url")];
  const sent = textsOf(options, ...BODY);
  const files = sent.flatMap((text) => fileIn(text)).flatMap((path) => situation.path(path, "read"));
  if (urls.some((url) => METADATA.test(url))) return denied("token", urls.join(" "));
  const sockets = textsOf(options, "--unix-socket", "--abstract-unix-socket");
  if (sockets.length > 0) return sockets.flatMap((path) => denied("agent-socket", path));
  if (has(options, "-n", "--netrc", "--netrc-optional")) return denied("credentials", "~/.netrc");
  const method =
    textsOf(options, "-X", "--request", "--method").at(-1)?.toUpperCase() ??
    (sent.length > 0 ? "POST" : "GET");
  const what = `${method} ${urls.join(" ")}`;
  const writes = !["GET", "HEAD", "OPTIONS"].includes(method);
  if (writes && urls.some((url) => GITHUB.test(url)))
    return [...files, ...denied(aboutPath(urls.join(" ")), what)];
  if (writes || has(options, "-K", "--config") || !urls.every(isKnown))
    return [...files, ...undecided("network")];
  return files;
};

/** wget's `-O` takes a name, curl's does not. */
function situationOf(args: readonly string[], valued: readonly string[]): readonly string[] {
  return args.some((word) => /^--(post|body)-|^--method/.test(word))
    ? valued
    : valued.filter((name) => name !== "-O");
}

function fileIn(text: string): string[] {
  const at = text.indexOf("@");
  return at === -1 ? [] : [text.slice(at + 1).replace(/;.*$/, "")];
}

const CLOSING = /^(close|done|delete|finish|complete)$/;

/** The tracker's command line. */
const bd: ProgramRule = ({ args }) => {
  const options = readOptions(args, ["--db", "--actor", "-s", "--status", "-r", "--reason"]);
  const [verb = ""] = options.operands;
  const status = textsOf(options, "-s", "--status");
  if (CLOSING.test(verb) || status.some((value) => /^(closed|done)$/i.test(value)))
    return denied("close-bead", `bd ${args.join(" ")}`);
  if (["show", "list", "ready", "blocked", "search", "stats", "status", "version", "help", ""].includes(verb))
    return [];
  return isKnown(verb) ? denied("close-bead", `bd ${args.join(" ")}`) : undecided("unknown-words");
};

/** koryph itself: looking is free. */
const koryph: ProgramRule = ({ args }) => {
  const verb = args.find((word) => !word.startsWith("-")) ?? "";
  const looks = ["", "help", "status", "plan", "log", "tail", "why", "version"].includes(verb);
  return looks ? [] : denied("engine-command", `koryph ${args.join(" ")}`);
};

export const GITHUB_RULES: Readonly<Record<string, ProgramRule>> = {
  gh,
  hub: ({ args }, situation) => situation.run(["git", ...args]),
  curl: transfer,
  wget: transfer,
  bd,
  koryph,
  "ssh-add": ({ args }) => denied("agent-socket", `ssh-add ${args.join(" ")}`),
  "gpg-connect-agent": () => denied("agent-socket", "gpg-connect-agent"),
};
