import type { CarriedApproval, CarriedCommits } from "../../../core/land/pull/carry-approval.js";
import { forkOf } from "../exec/ancestry.js";
import { quietGit } from "../exec/quiet-git.js";

/** It is for show: a landing does not wait longer for it than for a request to GitHub. */
const RANGE_DIFF_MS = 10_000;
/** Every commit is held against every other one. */
const MOST_COMMITS = 100;
/** More than anybody reads in a comment. */
const MOST_CHARACTERS = 20_000;
/** Longer files are called binary instead of being held in memory. */
const FILES = ["-c", "core.bigFileThreshold=1m"];

/**
 * The commits of both heads in a bare repository, whose files may be missing. Where an approval was carried over, the
 * replay that proved it has brought them in; git asks nobody for the others, and then there is no range-diff.
 */
export async function compareCarried(
  repo: string,
  { approved, head, base }: CarriedApproval,
): Promise<CarriedCommits | null> {
  const headOn = await forkOf(repo, head, base);
  const approvedOn = headOn && (await forkOf(repo, approved, headOn));
  if (headOn === null || approvedOn === null) return null;
  const ranges = [`${approvedOn}..${approved}`, `${headOn}..${head}`];
  return { approvedOn, headOn, rangeDiff: await rangeDiff(repo, ranges) };
}

async function rangeDiff(repo: string, ranges: readonly string[]): Promise<string | null> {
  for (const range of ranges) {
    const counted = await quietGit(repo, ["rev-list", "--count", range, "--"]);
    if (counted.code !== 0 || Number(counted.stdout) > MOST_COMMITS) return null;
  }
  const args = [...FILES, "range-diff", "--no-color", "--no-ext-diff", "--no-textconv", ...ranges];
  const { code, stdout } = await quietGit(repo, args, { timeoutMs: RANGE_DIFF_MS });
  return code === 0 ? stdout.slice(0, MOST_CHARACTERS) : null;
}
