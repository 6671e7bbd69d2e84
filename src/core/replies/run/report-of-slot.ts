import { plainLines } from "../../../lib/plain-text.js";
import type { ReportKind } from "../../model/report-kind.js";
import type { Slot } from "../../run/ledger/slot.js";
import { waitsForPerson } from "../../run/ledger/slot-groups.js";

/** Which report, and of which attempt. */
export interface ReportPlace {
  readonly kind: ReportKind;
  readonly run: string;
  readonly attempt: number;
}

const MOST_NAMED = 10;

/**
 * The last report about a bead's work; null when there was none. A refused landing comes after the review of the
 * same attempt, and a review that nobody was sent back for is on no other record than the slot's own.
 */
export function reportOfSlot(slot: Slot): ReportPlace | null {
  const { report, review, dispatchedBy: run, attempt } = slot;
  if (isOfLastAttempt(slot)) return report;
  if (review !== null && review.verdict !== "degraded") return { kind: "review", run, attempt };
  return report;
}

function isOfLastAttempt({ report, dispatchedBy, attempt }: Slot): boolean {
  return report?.run === dispatchedBy && report.attempt === attempt;
}

/** The report as a person reads it, marked as what it is. */
export function reportLines({ kind }: ReportPlace, text: string): string[] {
  const body = plainLines(text.trimEnd())
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`));
  return [`report (${kind}):`, ...body];
}

/** Stands between a report and what the agent printed. */
export function afterReportLine(task: string): string {
  return `output of the last agent (${task}):`;
}

/** For whoever has to decide about beads that something was found wrong with; empty when there are none. */
export function reportsToRead(slots: readonly Slot[]): string[] {
  const reported = slots.filter(
    (slot) => waitsForPerson(slot) && (isOfLastAttempt(slot) || slot.review?.verdict === "blocking"),
  );
  return reported.slice(0, MOST_NAMED).map((slot) => {
    const more = slot === reported[MOST_NAMED - 1] ? reported.length - MOST_NAMED : 0;
    const rest = more > 0 ? ` (and ${more} more have one)` : "";
    return `koryph tail ${slot.bead} shows its report (${reportOfSlot(slot)?.kind})${rest}`;
  });
}
