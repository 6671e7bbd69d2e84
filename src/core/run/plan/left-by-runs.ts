import { isUnderWay, type LedgerState } from "../ledger/ledger-state.js";
import type { Slot } from "../ledger/slot.js";

/** Whether an attempt left something to go on with. A new run keeps that for `--resume` and gives the others back. */
export function leftWork({ commits, uncommitted }: Pick<Slot, "commits" | "uncommitted">): boolean {
  return commits > 0 || uncommitted;
}

/**
 * Beads that a run which has ended left in its queue, and that the next run takes: all of them with `--resume`, else
 * those without work. Where a run is under way they are its own.
 */
export function freedForRun(
  state: Pick<LedgerState, "run" | "slots">,
  { resume }: { readonly resume: boolean },
): ReadonlySet<string> {
  if (isUnderWay(state)) return new Set();
  const queued = Object.values(state.slots).filter(({ status }) => status === "queued");
  return new Set(queued.filter((slot) => resume || !leftWork(slot)).map(({ bead }) => bead));
}
