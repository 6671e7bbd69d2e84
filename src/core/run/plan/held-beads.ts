import { type DispatchRefusal, heldBack } from "../../replies/schedule/schedule.js";
import type { LedgerState } from "../ledger/ledger-state.js";

/** Beads that wait for a person's word, and whose. */
export function heldBeads({ holds }: Pick<LedgerState, "holds">): Map<string, DispatchRefusal> {
  const held = Object.entries(holds).map(
    ([bead, { actor, reason }]) => [bead, heldBack.held(actor, reason)] as const,
  );
  return new Map(held);
}
