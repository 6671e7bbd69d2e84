import { plainText } from "../../../lib/plain-text.js";
import { shellWord } from "../../../lib/shell-word.js";
import type { Advice } from "../../../lib/user-error.js";
import type { FoundSecret } from "../../land/secret-scan.js";

export const CONFLICT_FILE = "CONFLICT.md";
export const CONFLICT_PATCH = "CONFLICT.patch";

export const worktreeAdvice = {
  unreachable: (url: string, problem: string): Advice => ({
    message: `the remote ${plainText(withoutSecrets(url))} cannot be read: ${gitComplaint(problem)}`,
    hint: "check with `git fetch` in the repository; koryph uses the same address and the same credentials",
  }),
  notPushed: (url: string, problem: string): Advice => ({
    message: `work in progress could not be saved to ${plainText(withoutSecrets(url))}: ${gitComplaint(problem)}`,
    hint: "the account needs the right to push refs under refs/koryph/; the commits are safe on this machine",
  }),
  notSaved: (bead: string, secrets: readonly FoundSecret[] | "too-much"): Advice => ({
    message: `work in progress on ${bead} is not saved to the remote: ${
      secrets === "too-much"
        ? worktreeFinding.tooMuchText()
        : `its commits add what looks like a secret (${fewSecrets(secrets)})`
    }`,
    hint: "the commits are safe on this machine; a remote would keep the secret for good, so revoke it if it is real",
  }),
  noCommit: (url: string): Advice => ({
    message: `${plainText(withoutSecrets(url))} has no commit on its default branch, so there is nothing to start from`,
    hint: "make a first commit; if the repository has a remote, push it there: git push -u origin HEAD",
  }),
  noRemote: (name: string, repository: string): Advice => ({
    message: `${repository} has remotes, but none called ${plainText(name)}`,
    hint: "name the right one as ledger.remote in koryph.project.json, or add it with `git remote add`",
  }),
  notTrusted: (repository: string): Advice => ({
    message: `dubious ownership: ${plainText(repository)} belongs to another user, so git does nothing in it`,
    hint: `run koryph as its owner, or, if you trust what is in it: git config --global --add safe.directory ${shellWord(repository)}`,
  }),
  notARepository: (repository: string, problem: string): Advice => ({
    message: `${repository} cannot be read as a git repository: ${gitComplaint(problem)}`,
    hint: "run koryph in a git repository, or point at one with --project",
  }),
};

/** What stands in the way of landing a branch, or of trusting what was read. */
export const worktreeFinding = {
  submodule: (path: string) => `submodule changed: ${plainText(path)}`,
  unfit: (problem: string) => `git does not take its objects: ${plainText(problem)}`,
  submoduleFile: (path: string) => `submodule settings changed: ${plainText(path)}`,
  lfsPointer: (path: string) => `Git LFS pointer: ${plainText(path)}`,
  linkOut: (path: string) => `link that leads out of the repository: ${plainText(path)}`,
  mergeCommit: (sha: string) => `merge commit: ${sha}`,
  unrelated: () => "the branch shares no history with the default branch",
  tooMuch: (commits: number) => `too large to be looked through: ${commits} commits`,
  tooMuchText: () => "more changed text than can be looked through for secrets",
  more: (count: number, what: string) => `and ${count} more like "${what}"`,
  unreadable: (why: string) => `the clone's branch was left out: ${plainText(why).slice(0, 300)}`,
};

export interface ConflictFacts {
  readonly defaultBranch: string;
  readonly base: string;
  /** Files both sides changed; empty when git named none. */
  readonly files: readonly string[];
  readonly why: "commits" | "merges" | "uncommitted";
}

/** For the agent: why its work is not on the newest base, and what to do about it. */
export function conflictNote({ defaultBranch, base, files, why }: ConflictFacts): string {
  const branch = plainText(defaultBranch);
  const said = {
    commits: [
      `\`origin/${branch}\` moved to ${base}, and your commits could not be replayed onto it.`,
      "Your branch is as you left it. Bring it up to date before you go on:",
      "",
      `    git rebase origin/${branch}`,
    ],
    merges: [
      `\`origin/${branch}\` moved to ${base}. Your branch holds merge commits, which can neither be replayed nor landed.`,
      "Make it a straight line of commits on top of the default branch before you go on:",
      "",
      `    git rebase origin/${branch}`,
    ],
    uncommitted: [
      `\`origin/${branch}\` moved to ${base}. Changes that an earlier attempt had not committed no longer fit it.`,
      `They are in \`${CONFLICT_PATCH}\` beside this file. Take from it what is still needed.`,
    ],
  }[why];
  const named =
    files.length === 0 ? [] : ["", "Files in conflict:", ...files.map((f) => `- ${plainText(f)}`)];
  return ["# Conflict with the default branch", "", ...said, ...named, ""].join("\n");
}

export const bootstrapFailure = {
  exit: (command: string, code: number | null, tail: string) =>
    `bootstrap command \`${plainText(command)}\` ended with ${code === null ? "a signal" : `exit code ${code}`}${said(tail)}`,
  slow: (command: string, seconds: number, tail: string) =>
    `bootstrap command \`${plainText(command)}\` was stopped after ${seconds} s${said(tail)}`,
  stopped: (command: string) => `bootstrap command \`${plainText(command)}\` was stopped on request`,
};

function said(tail: string): string {
  return tail === "" ? "" : `: ${plainText(tail)}`;
}

/** The line that says what went wrong. Git's closing "could not read" only repeats that something did. */
export function gitComplaint(text: string): string {
  const lines = text
    .split("\n")
    .filter((line) => line.trim() !== "" && !/Could not read from remote/.test(line));
  const named = lines.find((line) => /^(fatal|error|remote: error):/.test(line));
  return plainText(withoutSecrets(named ?? lines[0] ?? "git gave no reason"));
}

const MOST_SECRETS = 3;

function fewSecrets(secrets: readonly FoundSecret[]): string {
  const named = secrets.slice(0, MOST_SECRETS).map(({ path, kind }) => `${kind} in ${plainText(path)}`);
  const more = secrets.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** An address may carry a name and a password. */
function withoutSecrets(text: string): string {
  return text.replace(/\/\/[^/@\s]+@/g, "//");
}
