import type { ReportRow, RunReport } from "../../run/plan/run-report.js";
import { ROW_HEAD, rowCells } from "./row-cells.js";

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** A table of rows, in lines: whoever has little room leaves the last ones out. */
export function rowLines(rows: readonly ReportRow[]): string[] {
  return [line(ROW_HEAD), line(ROW_HEAD.map(() => "---")), ...rows.map((row) => line(rowCells(row)))];
}

/** What a group is called: a wave, or the refill that started it. */
export function groupName({ mode }: Pick<RunReport, "mode">, index: number): string {
  if (mode === "wave") return `Wave ${index + 1}`;
  return index === 0 ? "First dispatch" : `Refill ${index}`;
}

/** So many of each, in one line. */
export function countsLine(rows: readonly ReportRow[]): string {
  const count = (...wanted: readonly ReportRow["status"][]) =>
    rows.filter(({ status }) => wanted.includes(status)).length;
  const parts = (
    [
      [count("dispatching", "running", "ended", "passed", "landing", "refused"), "at work"],
      [count("queued"), "queued"],
      [count("merged"), "landed"],
      [count("pr-opened"), "open as pull requests"],
      [count("merge-pending"), "finished"],
      [count("blocked"), "blocked"],
      [count("conflict"), "in conflict"],
    ] as const
  ).flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : []));
  return parts.length === 0 ? "nothing is dispatched yet" : parts.join(", ");
}
