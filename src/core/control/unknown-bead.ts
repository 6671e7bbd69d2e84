import { nearestFew } from "../../lib/nearest.js";
import type { LedgerState } from "../run/ledger/ledger-state.js";
import type { ControlRefusal } from "./control-decision.js";

const MOST_NEAR = 3;

/** What is said of a bead that no run has taken: by every command that asks runs about it. */
export function unknownBead(bead: string, { slots }: Pick<LedgerState, "slots">): ControlRefusal {
  return { code: "unknown_bead", bead, near: nearestFew(bead, Object.keys(slots), MOST_NEAR) };
}
