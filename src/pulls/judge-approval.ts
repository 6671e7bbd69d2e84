import type { Person } from "../core/land/pull/count-approvals.js";
import { type ApprovalDecision, decideApproval } from "../core/land/pull/decide-approval.js";
import type { LedgerState } from "../core/run/ledger/ledger-state.js";
import type { PullRecord } from "../ports/pull-record.js";
import type { PullFacts } from "../ports/pulls.js";
import { readPeople } from "./contributors.js";

export interface ApprovalWish {
  readonly by: Person;
  /** The first digits of the head they mean; null when they named none. */
  readonly sha: string | null;
  readonly writtenAt: string;
}

/** Whether a person's approval of the pull request as it is now is taken. */
export async function judgeApproval(
  record: PullRecord,
  pull: PullFacts,
  { state, wish }: { readonly state: LedgerState; readonly wish: ApprovalWish },
): Promise<ApprovalDecision> {
  const { contributors, known, activity } = await readPeople(record, pull);
  const before = state.pulls[pull.number]?.approvals.find(({ evidence }) => evidence.user_id === wish.by.id);
  return decideApproval({
    ...wish,
    ...{ head: pull.head.sha, open: pull.state === "open" },
    ...{ contributors, contributorsKnown: known, activity },
    approved: before?.head ?? null,
  });
}
