import { worktreeFinding } from "../core/replies/run/worktrees.js";
import type { PullRange, PullRefs } from "../ports/pull-repo.js";

const NOTHING: PullRange = { total: 0, commits: [], paths: [], findings: [], empty: true, tree: "" };

/** The range of commits that are not here. Of objects that git does not take only that is known, and it is named. */
export function rangeUnseen({ unfit }: Pick<PullRefs, "unfit">): PullRange {
  return unfit === null ? NOTHING : { ...NOTHING, empty: false, findings: [worktreeFinding.unfit(unfit)] };
}
