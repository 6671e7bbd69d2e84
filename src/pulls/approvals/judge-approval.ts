import type { Person } from "../../core/land/pull/count-approvals.js";
import { type ApprovalDecision, decideApproval } from "../../core/land/pull/decide-approval.js";
import type { LedgerState } from "../../core/run/ledger/ledger-state.js";
import type { PullRecord } from "../../ports/pull-record.js";
import type { PullFacts } from "../../ports/pulls.js";
import type { EvidenceParts } from "./check-evidence.js";
import { readPeople } from "./contributors.js";
import { readApprovals } from "./read-approvals.js";

export interface ApprovalParts extends EvidenceParts {
  readonly record: PullRecord;
  /** `owner/name`. */
  readonly repository: string;
}

export interface ApprovalWish {
  readonly by: Person;
  /** The first digits of the head they mean; null when they named none. */
  readonly sha: string | null;
  readonly writtenAt: string;
}

/** Whether a person's approval of the pull request as it is now is taken. */
export async function judgeApproval(
  parts: ApprovalParts,
  pull: PullFacts,
  { state, wish }: { readonly state: LedgerState; readonly wish: ApprovalWish },
): Promise<ApprovalDecision> {
  const { repository } = parts;
  const { contributors, known, activity } = await readPeople(parts.record, pull);
  const recorded = (state.pulls[pull.number]?.approvals ?? []).filter(
    ({ evidence, head }) => evidence.user_id === wish.by.id && head === pull.head.sha,
  );
  const place = { repository, pull: pull.number, activity, heads: [pull.head.sha] };
  // What they have deleted since, took back or never wrote keeps nobody from approving.
  const { approvals } =
    recorded.length === 0 ? { approvals: [] } : await readApprovals(parts, place, recorded);
  const given = approvals.find(
    ({ by, head, evidence }) => by.id === wish.by.id && head === pull.head.sha && evidence === "holds",
  );
  return decideApproval({
    ...wish,
    ...{ head: pull.head.sha, open: pull.state === "open" },
    ...{ contributors, contributorsKnown: known, activity },
    approved: given?.head ?? null,
  });
}
