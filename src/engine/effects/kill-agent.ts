import { effectTrouble } from "../../core/replies/run/effect-trouble.js";
import { placeOf } from "../../core/run/ledger/place-of.js";
import type { Slot } from "../../core/run/ledger/slot.js";
import type { EngineParts } from "../engine-parts.js";
import type { Troubles } from "../faults/troubles.js";
import { markerOf } from "../marker.js";

/**
 * Ends a slot's agent at once, with all it started. One that cannot be ended keeps none of the others alive: it is told,
 * and its wrapper ends it when our lease has run out.
 */
export async function killAgent(slot: Slot, parts: EngineParts, troubles: Troubles): Promise<void> {
  const { processes, folders, worktrees } = parts;
  try {
    await processes.signal(folders.folder(placeOf(slot)), "SIGKILL");
    await processes.sweep(markerOf(slot), worktrees.pathOf(slot.bead));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    troubles.say(`end of ${slot.bead}`, effectTrouble.own(`ending the agent of ${slot.bead}`, why));
  }
}
