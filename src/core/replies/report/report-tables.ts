import { isOpen } from "../../run/ledger/slot-groups.js";
import type { ReportRow, RunReport } from "../../run/plan/run-report.js";
import { ROW_HEAD, rowCells } from "./row-cells.js";

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** A table of rows, in lines: whoever has little room leaves the last ones out. */
export function rowLines(rows: readonly ReportRow[]): string[] {
  return [line(ROW_HEAD), line(ROW_HEAD.map(() => "---")), ...rows.map((row) => line(rowCells(row)))];
}

/** What a group is called: a wave, or the refill that started it. */
export function groupName({ mode, resumed }: Pick<RunReport, "mode" | "resumed">, index: number): string {
  if (resumed?.earlier && index === 0) return "Before it was resumed";
  const at = resumed?.earlier ? index - 1 : index;
  const when = resumed === undefined ? "" : " since it was resumed";
  if (mode === "wave") return `Wave ${at + 1}${when}`;
  return at === 0 ? `First dispatch${when}` : `Refill ${at}`;
}

const RESTING: readonly (readonly [ReportRow["status"], string])[] = [
  ["queued", "queued"],
  ["merged", "landed"],
  ["pr-opened", "open as pull requests"],
  ["merge-pending", "finished"],
  ["blocked", "blocked"],
  ["conflict", "in conflict"],
];

/** How many there are of those that nobody is at work on: "2 queued", "1 landed". */
export function restingCounts(rows: readonly Pick<ReportRow, "status">[]): string[] {
  return RESTING.flatMap(([wanted, what]) => {
    const count = rows.filter(({ status }) => status === wanted).length;
    return count > 0 ? [`${count} ${what}`] : [];
  });
}

/** So many of each, in one line. */
export function countsLine(rows: readonly Pick<ReportRow, "status">[]): string {
  const atWork = rows.filter((row) => isOpen(row) && row.status !== "queued").length;
  const parts = [...(atWork > 0 ? [`${atWork} at work`] : []), ...restingCounts(rows)];
  return parts.length === 0 ? "nothing is dispatched yet" : parts.join(", ");
}
