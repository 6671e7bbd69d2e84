import type { ProjectConfig } from "../../core/config/project-schema.js";
import { countApprovals } from "../../core/land/pull/count-approvals.js";
import type { Evidence } from "../../core/run/ledger/evidence.js";
import type { LedgerState } from "../../core/run/ledger/ledger-state.js";
import type { PullRecord } from "../../ports/pull-record.js";
import type { PullFacts } from "../../ports/pulls.js";
import type { EvidenceParts } from "../approvals/check-evidence.js";
import { readPeople } from "../approvals/contributors.js";
import { readApprovals } from "../approvals/read-approvals.js";

export interface ApprovedHeadFacts {
  /** `owner/name`. */
  readonly repository: string;
  readonly pull: PullFacts;
  readonly head: string;
  readonly state: Pick<LedgerState, "pulls">;
  /** Whoever asked for the landing. */
  readonly requester: Evidence | null;
  readonly config: Pick<ProjectConfig, "land">;
}

/** Whether somebody who had no hand in it has approved exactly this head, as GitHub shows it now. */
export async function isApprovedHead(
  parts: EvidenceParts & { readonly record: PullRecord },
  { repository, pull, head, state, requester, config }: ApprovedHeadFacts,
): Promise<boolean> {
  const { contributors, activity, known } = await readPeople(parts.record, pull);
  if (!known) return false;
  const place = { repository, pull: pull.number, activity, heads: [head] };
  const found = await readApprovals(parts, place, state.pulls[pull.number]?.approvals ?? []);
  const { counted } = countApprovals({
    ...{ ...found, head, contributors, carried: new Set<string>() },
    requester:
      requester === null || config.land.requester_counts
        ? null
        : { id: requester.user_id, login: requester.login },
  });
  return counted.length > 0;
}
