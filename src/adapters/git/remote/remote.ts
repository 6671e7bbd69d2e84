import { isAbsolute, resolve } from "node:path";
import { worktreeAdvice } from "../../../core/replies/run/worktrees.js";
import { UserError } from "../../../lib/user-error.js";
import { operatorGit } from "../exec/operator-git.js";
import type { GitAnswer } from "../exec/run-git.js";

export interface Remote {
  readonly url: string;
  readonly pushUrl: string;
  /** What git needs to reach it as the operator would: agent socket, proxies, the repository's own credentials. */
  readonly env: Readonly<Record<string, string>>;
}

const REACHING = [
  ...["SSH_AUTH_SOCK", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "SSH_ASKPASS"],
  ...["GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"],
];

/** Settings that say how a remote is reached; `actions/checkout` leaves its token in one of them. */
const REACHING_SETTINGS = "^(http|credential|ssh)\\.|^core\\.(sshcommand|askpass|gitproxy)$";
/** Those that name programs. Git in koryph's own repositories is told to take them from no file, so all are passed on. */
const PROGRAMS = /^(credential\.|core\.(sshcommand|askpass)\n)/;

/**
 * The remote that a project's work goes through: the operator's configured one, or, where the repository
 * has none at all, the repository itself.
 */
export async function openRemote(operatorRepo: string, remoteName: string): Promise<Remote> {
  const settings = ["config", "--show-scope", "--includes", "-z", "--get-regexp", REACHING_SETTINGS];
  const [listing, reaching] = await Promise.all([
    ask(operatorRepo, ["remote", "--verbose"]),
    ask(operatorRepo, settings),
  ]);
  if (listing.code !== 0) throw UserError.of(worktreeAdvice.notARepository(operatorRepo, listing.stderr));
  const found = remotesIn(listing.stdout);
  if (found.length === 0) {
    const url = resolve(operatorRepo);
    return { url, pushUrl: url, env: reachingEnvironment([]) };
  }
  // Of several addresses to push to, the first counts.
  const address = (use: string) => found.find((each) => each.name === remoteName && each.use === use)?.url;
  const [url, pushUrl] = [address("fetch"), address("push")];
  if (url === undefined || pushUrl === undefined)
    throw UserError.of(worktreeAdvice.noRemote(remoteName, operatorRepo));
  const from = [url, pushUrl].some(isRelative) ? await topOf(operatorRepo) : operatorRepo;
  const absolute = (given: string) => (isRelative(given) ? resolve(from, given) : given);
  return {
    url: absolute(url),
    pushUrl: absolute(pushUrl),
    env: reachingEnvironment(settingsIn(reaching.stdout)),
  };
}

/** A remote that is reached with these settings, whatever the checkout's own are. */
export function remoteAt(url: string, settings: Readonly<Record<string, string>>): Remote {
  return { url, pushUrl: url, env: { ...reachingEnvironment([]), ...settings } };
}

/** Lines of `<name><tab><address> (fetch)`, and the same with push; a partial clone has its filter behind it. */
function remotesIn(listing: string) {
  const rows = listing.matchAll(/^([^\t]+)\t(.*) \((fetch|push)\)(?: \[.*\])?$/gm);
  return [...rows].map(([, name = "", url = "", use = ""]) => ({ name, url, use }));
}

/** A path in a remote's address is relative to the repository it stands in, and git will run elsewhere. */
function isRelative(url: string): boolean {
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) || /^[^/]+:/.test(url);
  return !isAddress && !isAbsolute(url);
}

async function topOf(operatorRepo: string): Promise<string> {
  const top = await ask(operatorRepo, ["rev-parse", "--show-toplevel"]);
  return top.code === 0 ? top.stdout.trimEnd() : operatorRepo;
}

/** The others stand in the operator's own files too, where git finds them by itself. */
function settingsIn(listing: string): string[] {
  const fields = listing.split("\0");
  return fields.filter((entry, at) => {
    const scope = at % 2 === 1 ? fields[at - 1] : "command";
    return scope === "local" || scope === "worktree" || (scope !== "command" && PROGRAMS.test(entry));
  });
}

async function ask(operatorRepo: string, args: readonly string[]): Promise<GitAnswer> {
  return (await operatorGit(operatorRepo, args)) ?? { code: 128, stdout: "", stderr: "not a git repository" };
}

/** Settings go by environment: on a command line every user of the machine could read the token in them. */
function reachingEnvironment(settings: readonly string[]): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of REACHING) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  for (const [index, setting] of settings.entries()) {
    const [key = "", ...value] = setting.split("\n");
    env[`GIT_CONFIG_KEY_${index}`] = key;
    // A key without a value means true.
    env[`GIT_CONFIG_VALUE_${index}`] = setting.includes("\n") ? value.join("\n") : "true";
  }
  if (settings.length > 0) env.GIT_CONFIG_COUNT = String(settings.length);
  return env;
}
