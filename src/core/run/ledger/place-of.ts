import type { Slot } from "./slot.js";

/** Names the files of the slot's current attempt: they lie with the run that dispatched it, whoever moves it now. */
export function placeOf({ dispatchedBy, bead, attempt }: Slot) {
  return { run: dispatchedBy, bead, attempt };
}
