import type { Person } from "../../core/land/pull/count-approvals.js";
import { type ApprovalDecision, decideApproval } from "../../core/land/pull/decide-approval.js";
import type { Approval, LedgerState } from "../../core/run/ledger/ledger-state.js";
import type { PullRecord } from "../../ports/pull-record.js";
import type { PullFacts } from "../../ports/pulls.js";
import { checkApproval, type EvidenceParts, type EvidencePlace } from "./check-evidence.js";
import { readPeople } from "./contributors.js";

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
  const before = state.pulls[pull.number]?.approvals.find(({ evidence }) => evidence.user_id === wish.by.id);
  const isGiven =
    before?.head === pull.head.sha &&
    (await stands(parts, { repository, pull: pull.number, activity }, before));
  return decideApproval({
    ...wish,
    ...{ head: pull.head.sha, open: pull.state === "open" },
    ...{ contributors, contributorsKnown: known, activity },
    approved: isGiven ? before.head : null,
  });
}

/** What they have deleted since, or never wrote, keeps nobody from approving. */
async function stands(parts: EvidenceParts, place: EvidencePlace, approval: Approval): Promise<boolean> {
  return (await checkApproval(parts, place, approval)).evidence === "holds";
}
