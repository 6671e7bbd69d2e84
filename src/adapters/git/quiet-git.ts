import { type GitAnswer, type GitOptions, runGit } from "./run-git.js";

/**
 * The operator's own settings stay out: a filter, a hook or an ignore rule of theirs would otherwise
 * run on, or decide about, files that an agent wrote.
 */
const QUIET = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_NO_LAZY_FETCH: "1",
  HOME: "/nonexistent",
  XDG_CONFIG_HOME: "/nonexistent",
};

const WORK_TREE_MS = 600_000;

/** Git on the engine's own repository, steered by the configuration koryph wrote there and by nothing else. */
export function quietGit(
  repo: string,
  args: readonly string[],
  { env = {}, ...options }: GitOptions = {},
): Promise<GitAnswer> {
  // The work tree's top is the current folder wherever there is one, so that relative paths mean the same.
  const folder = env.GIT_WORK_TREE ?? repo;
  // Over files that an agent wrote git may meet what it waits for; nothing honest takes so long.
  const limit = env.GIT_WORK_TREE === undefined ? {} : { timeoutMs: WORK_TREE_MS };
  return runGit(folder, args, { ...limit, ...options, env: { ...QUIET, GIT_DIR: repo, ...env } });
}

/** The output of a command that has no reason to fail. */
export async function quietOutput(
  repo: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  const answer = await quietGit(repo, args, options);
  if (answer.code !== 0) throw new Error(`git ${args[0]} failed in ${repo}: ${answer.stderr.trim()}`);
  return answer.stdout;
}
