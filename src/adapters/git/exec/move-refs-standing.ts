import { gitEnvironment } from "./git-environment.js";
import { quietEnvironment, quietOutput } from "./quiet-git.js";
import { askStanding } from "./standing-git.js";

const DONE = "start: ok\ncommit: ok\n";

/**
 * Moves refs of one of koryph's own repositories, all or none, by a git that stays. `updates` are lines of
 * `git update-ref --stdin`. False says nothing about the refs: one may have been moved by others, or be locked, or git
 * ended, before or after the move. Look at them then.
 */
export async function moveRefsStanding(
  gitDir: string,
  updates: string,
  env: () => NodeJS.ProcessEnv = gitEnvironment,
): Promise<boolean> {
  const args = [`--git-dir=${gitDir}`, "--no-replace-objects", "update-ref", "--stdin"];
  const moved = await askStanding({ gitDir, args, env }, `start\n${updates}commit\n`, (heard) =>
    heard.startsWith(DONE) ? { answer: true, rest: heard.slice(DONE.length) } : null,
  );
  return moved ?? false;
}

/** Puts refs of the engine's own repository where they belong; nothing but a broken repository can be in the way. */
export async function setRefs(repo: string, updates: string): Promise<void> {
  if (await moveRefsStanding(repo, updates, () => gitEnvironment(quietEnvironment(repo)))) return;
  // The standing git may have ended before or after the move. Each line aims at a state, so it may be said again.
  await quietOutput(repo, ["update-ref", "--stdin"], { input: updates });
}
