import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Git holds a ref's lock for milliseconds. One this old was left by a git that was killed. */
const STALE_MS = 10_000;

/**
 * Removes locks that dead processes left in the engine's own repository. Git never does that by itself: the
 * ref could not be moved ever again.
 */
export async function clearStaleLocks(repo: string): Promise<void> {
  const refs = await readdir(join(repo, "refs"), { recursive: true }).catch(() => []);
  const locks = refs.filter((name) => name.endsWith(".lock")).map((name) => join("refs", name));
  for (const name of [...locks, "packed-refs.lock", "HEAD.lock", "config.lock"]) {
    const path = join(repo, name);
    const entry = await stat(path).catch(() => null);
    if (entry?.isFile() && Date.now() - entry.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}
