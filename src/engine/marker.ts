import type { Slot } from "../core/run/ledger/slot.js";

/** Carried in the environment of every process of an attempt, so that none of them can hide. */
export function markerOf(slot: Slot): string {
  return `${slot.dispatchedBy}/${slot.bead}/${slot.attempt}`;
}
