import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Setting, withSettings } from "./git-settings.js";
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

/** Nothing here goes anywhere else, whatever address another one is to be replaced by. */
const AT_HOME: readonly Setting[] = [
  ["protocol.allow", "never"],
  ["protocol.file.allow", "always"],
];

const WORK_TREE_MS = 600_000;

/** What steers a git on the engine's own repository, besides the configuration koryph wrote there. */
export function quietEnvironment(
  repo: string,
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return withSettings({ ...QUIET, GIT_DIR: repo, ...given }, AT_HOME);
}

/** Git on the engine's own repository, steered by the configuration koryph wrote there and by nothing else. */
export async function quietGit(
  repo: string,
  args: readonly string[],
  { env: given = {}, ...options }: GitOptions = {},
): Promise<GitAnswer> {
  const env = quietEnvironment(repo, given);
  // The work tree's top is the current folder wherever there is one, so that relative paths mean the same.
  const folder = env.GIT_WORK_TREE ?? repo;
  // Over files that an agent wrote git may meet what it waits for; nothing honest takes so long.
  const limit = env.GIT_WORK_TREE === undefined ? {} : { timeoutMs: WORK_TREE_MS };
  const drivers = env.GIT_WORK_TREE === undefined ? [] : await driversOf(repo, env);
  return runGit(folder, args, { ...limit, ...options, env: withSettings(env, drivers) });
}

/** What a configuration with drivers of its own has in it, or one that sends git to another file for them. */
const SUSPICIOUS = /\[\s*(?:filter|merge|include|extensions)/i;
/** How git merges files that have no driver. */
const PLAIN_MERGE = "git merge-file -q --marker-size=%L %A %O %B";

/**
 * Files pass through programs that a configuration names under any name it likes, so those have to be looked for.
 * Koryph configures none; in an untouched repository one small file is read.
 */
async function driversOf(repo: string, env: Readonly<Record<string, string>>): Promise<Setting[]> {
  const config = await readFile(join(repo, "config"), "utf8").catch(() => "");
  if (!SUSPICIOUS.test(config)) return [];
  const args = ["config", "-z", "--includes", "--name-only", "--get-regexp", "^(filter|merge)\\..*\\."];
  const keys = (await runGit(repo, args, { env })).stdout.split("\0").filter((key) => key !== "");
  return keys.flatMap((key): Setting[] => {
    if (/^merge\..*\.driver$/.test(key)) return [[key, PLAIN_MERGE]];
    if (/^filter\..*\.(clean|smudge|process)$/.test(key)) return [[key, ""]];
    return /^filter\..*\.required$/.test(key) ? [[key, "false"]] : [];
  });
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
