import { mendingOf } from "../../../land/refusal.js";
import type { EventData } from "../event-data.js";
import type { Slot } from "../slot.js";

/** Keeps why the slot's branch cannot land as it is, and the report for the next agent, if one is sent for; in place. */
export function refuseSlot(slot: Slot, { result, code, detail }: EventData<"slot.refused">): void {
  slot.refusal = { result, code, detail };
  slot.note = `${result}: ${detail}`;
  slot.noteCode = "land-refused";
  const mend = mendingOf({ result, code });
  if (mend.by === "agent")
    slot.report = { kind: mend.setback, run: slot.dispatchedBy, attempt: slot.attempt };
}
