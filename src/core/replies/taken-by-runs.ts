import { cutText } from "../../lib/cut-text.js";
import { plainText } from "../../lib/plain-text.js";
import { table } from "../../lib/table.js";
import { type Bead, isClosed } from "../model/bead.js";
import type { LedgerState } from "../run/ledger-state.js";
import type { Slot, SlotStatus } from "../run/slot.js";

const MOST_ROWS = 20;
const WIDEST_TITLE = 32;

const NEXT: Readonly<Record<SlotStatus, (bead: string) => string>> = {
  queued: () => "waits for its next attempt; koryph run --resume goes on",
  dispatching: () => "at work",
  running: () => "at work",
  ended: () => "at work",
  passed: () => "at work",
  refused: () => "at work",
  landing: () => "finished, about to land",
  blocked: (bead) => `koryph retry ${bead} lets it try again`,
  conflict: (bead) => `koryph retry ${bead} lets it try again`,
  "merge-pending": (bead) => `finished; koryph land ${bead} lands it`,
  merged: () => "landed",
};

/** Beads that are not ready because a run has them or left them, by id. One that was closed since is over. */
export function takenByRuns({ slots }: Pick<LedgerState, "slots">, beads: readonly Bead[]): Slot[] {
  const closed = new Set<string>(beads.filter(isClosed).map(({ id }) => id));
  return Object.values(slots)
    .filter(({ bead, status }) => !closed.has(bead) && status !== "merged")
    .sort((a, b) => (a.bead < b.bead ? -1 : 1));
}

/** What became of each, and what brings it on. */
export function takenRows(slots: readonly Slot[]): string[] {
  const shown = table(
    slots
      .slice(0, MOST_ROWS)
      .map(({ bead, status, title }) => [
        `  ${bead}`,
        status,
        cutText(plainText(title), WIDEST_TITLE),
        NEXT[status](bead),
      ]),
  );
  const more = slots.length - MOST_ROWS;
  return more > 0 ? [...shown, `  and ${more} more, which koryph status lists`] : shown;
}
