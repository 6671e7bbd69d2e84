import type { Candidate } from "../../../ports/repo.js";
import type { BeadBranch } from "../clones/clones.js";
import { quietOutput } from "../exec/quiet-git.js";

/**
 * The commits of a bead's branch that the default branch neither has nor had when the clone was built; null when
 * there are none. Commits that were taken off the default branch since are thus nobody's work.
 */
export async function findCandidate(
  repo: string,
  { tip, base, began }: BeadBranch,
): Promise<Candidate | null> {
  if (tip === base) return null;
  const not = [base, ...began].map((sha) => `^${sha}`);
  const listing = await quietOutput(repo, ["rev-list", "--ignore-missing", "--parents", tip, ...not]);
  const rows = listing
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(" "));
  if (rows.length === 0) return null;
  const own = new Set(rows.map(([sha]) => sha));
  const below = new Set(rows.flatMap(([, ...parents]) => parents).filter((sha) => !own.has(sha)));
  const [parent] = below;
  // A beginning of its own, or a merge with something older: no commit lies right below all of them. Measured
  // from the default branch they are at least all looked at, and named as what cannot land.
  return { base: parent !== undefined && below.size === 1 ? parent : base, head: tip };
}
