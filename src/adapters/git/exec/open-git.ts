import type { GitError, SimpleGit } from "simple-git";
import { gitEnvironment } from "./git-environment.js";
import { type GitAnswer, gitNotFound } from "./run-git.js";

export type { SimpleGit } from "simple-git";

/**
 * simple-git refuses settings about programs, because it cannot tell one that names a program from one that
 * switches it off. Those of `gitEnvironment` switch them off.
 */
const OURS = {
  allowUnsafeAskPass: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeEditor: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeHooksPath: true,
  allowUnsafePager: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeSshCommand: true,
};

/**
 * The one place that makes a simple-git, for commands that print: it waits 50 ms after every other one. `settings` are
 * `key=value`, for each command. A command that fails throws an error with git's exit code; `failureOf` reads it.
 */
export async function openGit(folder: string, settings: readonly string[] = []): Promise<SimpleGit> {
  // Most commands of koryph need none of it.
  const { simpleGit, GitError } = await import("simple-git");
  const env = gitEnvironment();
  return simpleGit({
    baseDir: folder,
    config: [...settings],
    // Every variable was chosen by us: nothing of the calling process is passed on unseen.
    allowEnvironment: Object.keys(env),
    unsafe: OURS,
    errors: (error, { exitCode, stdOut, stdErr }) => {
      if (exitCode === 0) return error;
      const stderr = Buffer.concat(stdErr).toString();
      const answer: GitAnswer = { code: exitCode, stdout: Buffer.concat(stdOut).toString(), stderr };
      return Object.assign(new GitError(undefined, stderr), { answer });
    },
  }).env(env);
}

/** Node's code for a program that is not there. */
const NOT_STARTED = -2;

/** What a git that failed said; throws the error again when it is about something else. */
export function failureOf(error: unknown): GitAnswer {
  const { answer } = error as Partial<GitError & { readonly answer: GitAnswer }>;
  if (answer === undefined) throw error;
  if (answer.code === NOT_STARTED) throw gitNotFound();
  return answer;
}
