import { LRUCache } from "lru-cache";
import { judgeLog } from "./judge-log.js";
import { readRangeLog } from "./range-log.js";

export interface BranchFacts {
  /** Commits that `base` does not have. */
  readonly commits: number;
  readonly findings: readonly string[];
}

/** Commits do not change, and a branch is looked at whenever its clone is collected. */
const known = new LRUCache<string, BranchFacts>({ max: 64 });

/**
 * What is on a branch beyond `base`. Every commit is looked at, not the sum of them: all of them land, so a
 * submodule that one adds and the next removes counts. Both are hashes.
 */
export async function inspectBranch(repo: string, base: string, tip: string): Promise<BranchFacts> {
  if (base === tip) return { commits: 0, findings: [] };
  const key = [repo, base, tip].join("\0");
  const facts = known.get(key) ?? (await readFacts(repo, base, tip));
  known.set(key, facts);
  return facts;
}

async function readFacts(repo: string, base: string, tip: string): Promise<BranchFacts> {
  const log = await readRangeLog(repo, `${base}..${tip}`);
  const { total, findings } = await judgeLog(repo, { base, tip }, log);
  return { commits: total, findings };
}
