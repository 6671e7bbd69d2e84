import { cutText } from "../../../lib/cut-text.js";
import { naturalOrder } from "../../../lib/natural-order.js";
import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import { type Bead, isClosed } from "../../model/bead.js";
import type { LedgerState } from "../../run/ledger/ledger-state.js";
import type { Slot } from "../../run/ledger/slot.js";
import { statusWord } from "../beads/status-word.js";
import { type NextOfSlot, nextOfSlot } from "./next-of-slot.js";

const MOST_ROWS = 20;
const WIDEST_TITLE = 32;

/** A bead that a run has or left. */
export interface Taken extends Pick<Slot, "bead" | "run" | "status" | "title" | "head" | "note"> {
  readonly next: NextOfSlot;
}

/** Beads that are not ready because a run has them or left them, by id. One that was closed since is over. */
export function takenByRuns(
  { slots, holds }: Pick<LedgerState, "slots" | "holds">,
  beads: readonly Bead[],
): Taken[] {
  const closed = new Set<string>(beads.filter(isClosed).map(({ id }) => id));
  return Object.values(slots)
    .filter(({ bead, status }) => !closed.has(bead) && status !== "merged")
    .sort((a, b) => naturalOrder(a.bead, b.bead))
    .map((slot) => {
      const { bead, run, status, title, head, note } = slot;
      return { bead, run, status, title, head, note, next: nextOfSlot(slot, holds[bead]) };
    });
}

/** What became of each, and what brings it on. */
export function takenRows(taken: readonly Taken[]): string[] {
  const shown = table(
    taken
      .slice(0, MOST_ROWS)
      .map(({ bead, status, title, next }) => [
        `  ${bead}`,
        statusWord(status),
        cutText(plainText(title), WIDEST_TITLE),
        next.text,
      ]),
  );
  const more = taken.length - MOST_ROWS;
  return more > 0 ? [...shown, `  and ${more} more, which koryph list shows`] : shown;
}
