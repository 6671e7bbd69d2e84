import { worktreeAdvice } from "../../../core/replies/run/worktrees.js";
import { UserError } from "../../../lib/user-error.js";
import { failureOf, openGit } from "./open-git.js";
import { type GitAnswer, runGit } from "./run-git.js";

/**
 * A branch can track files that make one of its folders look like a repository, with settings that name
 * programs to run. Only a `.git` counts here, which no branch can track, and nothing it names is run either.
 */
const SAFE = ["safe.bareRepository=explicit", "core.fsmonitor=false", "core.hooksPath=/dev/null"];

/** Git in the root of a project in the operator's checkout; null where there is no repository. */
export async function operatorGit(root: string, args: readonly string[]): Promise<GitAnswer | null> {
  return unlessNone(root, await runGit(root, [...SAFE.flatMap((setting) => ["-c", setting]), ...args]));
}

/** The same by simple-git, for a command that prints something whatever comes of it. */
export async function operatorPrint(root: string, args: readonly string[]): Promise<GitAnswer | null> {
  const git = await openGit(root, SAFE);
  const printed = git.raw([...args]).then((stdout) => ({ code: 0, stdout, stderr: "" }));
  return unlessNone(root, await printed.catch(failureOf));
}

/** The operator's `init.defaultBranch`; null when it is not set. */
export async function initialBranch(operatorRepo: string): Promise<string | null> {
  const answer = await operatorGit(operatorRepo, ["config", "--get", "init.defaultBranch"]);
  const name = answer?.code === 0 ? answer.stdout.trimEnd() : "";
  return name === "" ? null : name;
}

function unlessNone(root: string, answer: GitAnswer): GitAnswer | null {
  if (DUBIOUS.test(answer.stderr)) throw UserError.of(worktreeAdvice.notTrusted(root));
  return answer.code === 128 && NO_REPOSITORY.test(answer.stderr) ? null : answer;
}

// Git refuses what belongs to another user, in these words.
const DUBIOUS = /^fatal: detected dubious ownership in repository at /m;
// A `.git` that leads to a lost repository is reported without the parenthesis, and is no such answer.
const NO_REPOSITORY = /^fatal: not a git repository \(or any /m;
