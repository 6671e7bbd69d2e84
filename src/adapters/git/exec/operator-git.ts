import { type GitAnswer, runGit } from "./run-git.js";

/**
 * A branch can track files that make one of its folders look like a repository, with settings that name
 * programs to run. Only a `.git` counts here, which no branch can track, and nothing it names is run either.
 */
const SAFE = [
  ...["-c", "safe.bareRepository=explicit"],
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "core.hooksPath=/dev/null"],
];

/** Git in the root of a project in the operator's checkout; null where there is no repository. */
export async function operatorGit(root: string, args: readonly string[]): Promise<GitAnswer | null> {
  const answer = await runGit(root, [...SAFE, ...args]);
  return answer.code === 128 && NO_REPOSITORY.test(answer.stderr) ? null : answer;
}

// A `.git` that leads to a lost repository is reported without the parenthesis, and is no such answer.
const NO_REPOSITORY = /^fatal: not a git repository \(or any /m;
