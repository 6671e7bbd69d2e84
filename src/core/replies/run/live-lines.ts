import { cutToWidth, displayWidth } from "../../../lib/display-width.js";
import { naturalOrder } from "../../../lib/natural-order.js";
import type { Paint } from "../../../lib/paint.js";
import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import { durationText } from "../../../lib/time-text.js";
import type { Slot } from "../../run/ledger/slot.js";
import { isOpen } from "../../run/ledger/slot-groups.js";
import { reportRow } from "../../run/plan/run-report.js";
import { restingCounts } from "../report/report-tables.js";
import { rowState } from "../report/row-cells.js";

export interface LiveFacts {
  /** All slots of the run. */
  readonly slots: readonly Slot[];
  /** What a slot's agent said last; empty when it said nothing. */
  readonly word: (slot: Slot) => string;
  readonly now: number;
}

export interface LiveSize {
  readonly columns: number;
  readonly rows: number;
}

const WIDEST_BEAD = 24;
/** What is said above must stay in sight. */
const SHARE_OF_SCREEN = 0.5;

/**
 * A run at a glance: a line for each bead in hand, then the counts. No line is as wide as the screen. Empty before the
 * run has taken anything.
 */
export function liveLines({ slots, word, now }: LiveFacts, size: LiveSize, paint: Paint): string[] {
  if (slots.length === 0) return [];
  const open = slots
    .filter((slot) => isOpen(slot) && slot.status !== "queued")
    .sort((a, b) => naturalOrder(a.bead, b.bead));
  const most = Math.max(1, Math.floor(size.rows * SHARE_OF_SCREEN) - 2);
  const shown = open.slice(0, most);
  const leads = table(
    shown.map((slot) => [
      cutToWidth(plainText(slot.bead), WIDEST_BEAD),
      rowState(reportRow(slot)),
      durationText(now - Date.parse(slot.at)),
      "",
    ]),
  );
  const widest = leads.reduce((width, lead) => Math.max(width, displayWidth(lead)), 0);
  const room = size.columns - 1;
  const rows = shown.map((slot, at) => {
    const lead = cutToWidth((leads[at] ?? "").padEnd(widest), room);
    const said = plainText(word(slot)) || plainText(slot.title);
    const rest = cutToWidth(said, Math.max(0, room - widest - 2));
    return rest === "" ? lead : `${lead}  ${paint.faint(rest)}`;
  });
  const more = open.length - shown.length;
  return [...rows, paint.faint(cutToWidth(countsText(slots, more), room))];
}

function countsText(slots: readonly Slot[], more: number): string {
  const parts = [...(more > 0 ? [`${more} more at work`] : []), ...restingCounts(slots)];
  return parts.length === 0 ? "nothing has ended yet" : parts.join(", ");
}
