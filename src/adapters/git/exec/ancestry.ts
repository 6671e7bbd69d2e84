import { LRUCache } from "lru-cache";
import { quietGit } from "./quiet-git.js";
import type { GitAnswer } from "./run-git.js";
import { followsNearby } from "./stored-commits.js";

/** Commits never change, so neither does what lies below them. */
const known = new LRUCache<string, boolean>({ max: 1_000 });

/**
 * Whether `commit` has `ancestor` in its history, or is it; what git said where it cannot tell, since one of them is not
 * here. Both are hashes.
 */
export async function followsCommit(
  repo: string,
  ancestor: string,
  commit: string,
): Promise<boolean | GitAnswer> {
  if (ancestor === commit) return true;
  const key = [repo, ancestor, commit].join("\0");
  const answer = known.get(key);
  if (answer !== undefined) return answer;
  const near = await followsNearby(repo, ancestor, commit);
  if (near !== null) {
    known.set(key, near);
    return near;
  }
  const asked = await quietGit(repo, ["merge-base", "--is-ancestor", ancestor, commit]);
  if (asked.code > 1) return asked;
  known.set(key, asked.code === 0);
  return asked.code === 0;
}

/** Where two histories part; null when they share nothing, or one of them is not here. */
export async function forkOf(repo: string, one: string, other: string): Promise<string | null> {
  const { code, stdout } = await quietGit(repo, ["merge-base", one, other]);
  return code === 0 ? stdout.trim() : null;
}
