import type { Pull, Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { tryGit } from "./world-git.js";

/** Answers that are ready, by the pair of commits they are about; each world has its own. */
const ready = new WeakMap<World, Map<string, boolean>>();

/** GitHub computes it after the first question, which it answers with null: ask again. */
export async function mergeableNow(
  world: World,
  repository: Repository,
  pull: Pull,
): Promise<boolean | null> {
  const answers = ready.get(world) ?? new Map<string, boolean>();
  ready.set(world, answers);
  const key = `${repository.id} ${pull.baseSha} ${pull.headSha}`;
  const known = answers.get(key);
  if (known !== undefined) return known;
  const merge = ["merge-tree", "--write-tree", "--name-only", "--no-messages", pull.baseSha, pull.headSha];
  answers.set(key, (await tryGit(repository.gitDir, merge)).code === 0);
  return null;
}
