import type { DispatchRefusal } from "../../schedule/dispatch-refusal.js";
import type { LedgerState } from "../ledger/ledger-state.js";

/** Beads that wait for a person's word, and whose. */
export function heldBeads({ holds }: Pick<LedgerState, "holds">): Map<string, DispatchRefusal> {
  return new Map(
    Object.entries(holds).map(([bead, { actor, reason }]) => [bead, { code: "held", actor, reason }]),
  );
}
