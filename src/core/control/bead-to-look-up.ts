import { isUnderWay, type LedgerState } from "../run/ledger/ledger-state.js";
import { isTaken } from "../run/tick/answer-requests.js";
import type { ControlCommand } from "./control-command.js";

/** The bead that the work source has to be asked about first, as the ledger alone cannot tell; null when there is none. */
export function beadToLookUp(command: ControlCommand, state: LedgerState): string | null {
  if (command.verb !== "hold" && command.verb !== "inject") return null;
  const { bead } = command;
  if (bead === null || (command.verb === "inject" && !isUnderWay(state))) return null;
  const slot = state.slots[bead];
  if (slot === undefined || slot.status === "merged") return bead;
  return command.verb === "inject" && !isTaken(slot, state.run?.id ?? "") ? bead : null;
}
