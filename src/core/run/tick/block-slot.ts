import type { ReasonedEvent } from "../ledger/decided-event.js";
import type { Slot } from "../ledger/slot.js";
import type { Words } from "../ledger/slot-reason.js";

export function blockSlot(
  { bead, run }: Pick<Slot, "bead" | "run">,
  why: Words,
  status: "blocked" | "conflict" = "blocked",
): ReasonedEvent {
  return { type: "slot.blocked", bead, run, why, data: { status } };
}
