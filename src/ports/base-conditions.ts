import type { SeenCheck } from "../core/land/pull/judge-checks.js";
import type { PullLandFacts } from "../core/land/pull/pull-land-facts.js";

/** What GitHub asks of a base branch's commits, and what it shows of them. */
export interface BaseConditions {
  /** Every active rule of the branch, or why they cannot be read. */
  rules(branch: string): Promise<PullLandFacts["rules"]>;
  /** Everything that was reported on a commit; `names` are those of which it has to be known whose jobs they are. */
  checks(head: string, names: readonly string[]): Promise<readonly SeenCheck[]>;
}
