import { issueOfBead } from "../model/bead.js";
import type { LedgerState } from "../run/ledger/ledger-state.js";

/** An issue whose work has landed, and that no engine has settled yet. */
export interface LandedIssue {
  readonly bead: string;
  readonly landed: string;
  readonly branch: string;
}

/** An engine settles a landing when it runs next, which may be hours away; its issue can be closed before. */
export function landedIssues({ slots }: Pick<LedgerState, "slots">): LandedIssue[] {
  return Object.values(slots).flatMap(({ bead, status, settled, landed, candidate }) =>
    status === "merged" && !settled && landed !== null && candidate !== null && issueOfBead(bead) !== null
      ? [{ bead, landed, branch: candidate.branch }]
      : [],
  );
}
