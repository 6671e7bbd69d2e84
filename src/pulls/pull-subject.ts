import { beadOfBranch, pullSubject } from "../core/model/pull.js";
import type { LedgerState } from "../core/run/ledger/ledger-state.js";
import type { PullFacts } from "../ports/pulls.js";

/** The bead whose slot has this very pull request, or the pull request's own name. */
export function subjectOf(pull: PullFacts, { slots }: Pick<LedgerState, "slots">): string {
  const bead = beadOfBranch(pull.head);
  return bead !== null && slots[bead]?.pull?.number === pull.number ? bead : pullSubject(pull.number);
}
