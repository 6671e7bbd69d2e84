import { type Html, html } from "../../../lib/markup/html.js";
import { plainText } from "../../../lib/plain-text.js";
import { durationText } from "../../../lib/time-text.js";
import type { ReportRow, RunReport } from "../../run/plan/run-report.js";
import { groupName } from "./report-tables.js";
import { rowState, stateMood } from "./row-cells.js";

interface Range {
  readonly from: number;
  readonly to: number;
}

/** When which bead was worked on: a row for each, a bar from each dispatch to its rest. */
export function timelineFigure(report: RunReport, range: Range): Html | null {
  const { groups, spans, now } = report;
  if (spans.length === 0) return null;
  return html`<section><h2>Timeline</h2>
<div class="timeline">
${groups.map(
  (rows, index) =>
    html`<h3>${groupName(report, index)}</h3><ul>${rows.map((row) => {
      const bars = spans.filter(({ bead }) => bead === row.bead);
      const times = bars.map(
        (bar) => `${durationText(bar.from - range.from)} to ${durationText((bar.to ?? now) - range.from)}`,
      );
      return html`<li><span class="name"><code>${plainText(row.bead)}</code> ${plainText(row.title)}</span>
<span class="track" role="img" aria-label="${`${plainText(row.bead)}: at work ${times.join(", ")} after the start; ${rowState(row)}`}">${bars.map(
        (bar) =>
          html`<span class="bar ${stateMood(row.status)}" style="${place(bar.from, bar.to ?? now, range)}"></span>`,
      )}</span></li>\n`;
    })}</ul>`,
)}
<p class="axis faint"><span>0s</span><span>${durationText((range.to - range.from) / 2)}</span><span>${durationText(range.to - range.from)}</span></p>
${legend(groups.flat())}
</div></section>`;
}

const MOODS = {
  good: "finished, open as a pull request, or landed",
  warn: "waits for a person",
  plain: "still to come to its end",
} as const;

/** What a bar is, and those colours that there are. */
function legend(rows: readonly ReportRow[]): Html {
  const moods = new Set(rows.map(({ status }) => stateMood(status)));
  const keys = (["good", "warn", "plain"] as const).filter((mood) => moods.has(mood));
  return html`<p class="legend faint">A bar runs from a dispatch to its end, in the colour of what became of the bead: ${keys.map(
    (mood) => html`<span class="key"><span class="swatch ${mood}"></span> ${MOODS[mood]}</span>`,
  )}</p>`;
}

/** A bar of no length is seen all the same. */
function place(from: number, to: number, range: Range): string {
  const whole = Math.max(1, range.to - range.from);
  const percent = (ms: number) => Math.min(100, Math.max(0, (100 * ms) / whole));
  const left = percent(from - range.from);
  return `left:${left.toFixed(2)}%;width:${Math.max(0.4, percent(to - range.from) - left).toFixed(2)}%`;
}
