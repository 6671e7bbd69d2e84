import type { Advice } from "../../../lib/user-error.js";
import type { RefillTimes } from "../../run/plan/refill-times.js";

export const timingsAdvice = {
  unwritable: (file: string, why: string): Advice => ({
    message: `the timings cannot be written to ${file}: ${why}`,
    hint: "name a file in a folder that is there, such as --timings /tmp/timings.jsonl",
  }),
};

/** What `koryph run --timings` says at the end of a run. */
export function refillTable({ refills, whole, parts }: RefillTimes, file: string): string[] {
  const trace = `every call is in ${file}, one JSON object per line`;
  if (whole === null) return ["timings: no place that an agent left was filled again", trace];
  const rows = parts.map(({ what, medianMs, p90Ms, calls }) => [
    what,
    shown(medianMs),
    shown(p90Ms),
    calls.toFixed(1),
  ]);
  const table = [["under way meanwhile", "median ms", "90th percentile", "calls"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  return [
    `timings: from an agent's end to the next agent's start, ${refills} ${refills === 1 ? "time" : "times"}: median ${shown(whole.medianMs)} ms, 90th percentile ${shown(whole.p90Ms)} ms`,
    ...table.map((row) => `  ${line(row)}`),
    trace,
  ];
}

function shown(ms: number): string {
  return ms.toFixed(ms < 10 ? 1 : 0);
}
