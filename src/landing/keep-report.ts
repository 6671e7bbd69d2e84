import type { LandRefusal } from "../core/land/refusal.js";
import { refusalReport } from "../core/replies/land/refusal-words.js";
import { placeOf } from "../core/run/ledger/place-of.js";
import type { Slot } from "../core/run/ledger/slot.js";
import type { SlotFolders } from "../ports/slot-folders.js";

/** Puts the report of a refusal where the next agent finds it; nothing for what is none of an agent's business. */
export async function keepReport(
  slot: Slot,
  refusal: LandRefusal,
  folders: Pick<SlotFolders, "writeReport">,
): Promise<void> {
  const report = refusalReport(refusal);
  if (report !== null) await folders.writeReport(placeOf(slot), report.kind, report.text);
}
