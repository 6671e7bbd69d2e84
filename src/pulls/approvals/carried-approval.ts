import type { PullStanding } from "../../core/control/pull-standing.js";
import type { CarriedApproval } from "../../core/land/pull/carry-approval.js";
import { carriedHead } from "../../core/land/pull/count-approvals.js";
import type { PullRepo } from "../../ports/pull-repo.js";
import type { GatheredFacts } from "../gather-land-facts.js";

/** The approval of an older head that a landing goes by; null when there is none. */
export function carriedApproval(
  facts: Pick<GatheredFacts, "approval" | "arrived" | "base">,
): CarriedApproval | null {
  const { approval, arrived, base } = facts;
  const approved = carriedHead(approval);
  return approved === null ? null : { approved, head: approval.head, base: arrived?.from ?? base.tip };
}

/** The same standing with the commits that were approved beside those that land, as far as they are here. */
export async function withCompared(
  repo: Pick<PullRepo, "compare">,
  standing: PullStanding,
): Promise<PullStanding> {
  const { carried } = standing;
  return carried === null ? standing : { ...standing, compared: await repo.compare(carried) };
}
