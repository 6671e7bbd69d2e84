import { plainText } from "../../../lib/plain-text.js";
import type { AnalysisEnd, PullAnalysis } from "../../review/pull/analysis.js";
import type { Finding } from "../../review/verdict.js";
import { shortSha } from "../land/quote.js";
import { degradedLine } from "./pull-check.js";
import { degradedReviewText, reviewSummary } from "./review.js";

/** An analysis for a terminal: all of it. */
export function analysisLines(analysis: PullAnalysis): string[] {
  const { verdict, head, pull } = analysis;
  return [
    `#${pull} at ${shortSha(head)}: ${reviewSummary(verdict)}`,
    ...verdict.findings.map(findingLine),
    ...verdict.criteria.map(
      ({ id, status, evidence }) => `  ${plainText(id)} ${status}: ${plainText(evidence)}`,
    ),
    "  this is an analysis, not an approval",
  ];
}

export function degradedLines(pull: number, end: Extract<AnalysisEnd, { kind: "degraded" }>): string[] {
  return [`#${pull} at ${shortSha(end.head)}: ${degradedLine(end)}`];
}

/** One finding in one line, as people read it and as the next reviewer is told of it. */
export function findingLine({ severity, file, line, summary }: Finding): string {
  const place = file === "" ? "" : `${plainText(file)}${line === null ? "" : `:${line}`}: `;
  return `  [${severity}] ${place}${plainText(summary)}`;
}

/** `--json`, as docs/json.md describes it. */
export function analysisJson(pull: number, end: AnalysisEnd, more: object = {}): object {
  if (end.kind === "degraded")
    return { pull, head: end.head, verdict: "degraded", reason: degradedReviewText(end.why), ...more };
  const { head, base, at, title, verdict } = end.analysis;
  return {
    ...{ pull, title, head, base, analysed_at: at, verdict: verdict.blocking ? "blocking" : "clean" },
    ...{ criteria: verdict.criteria, findings: verdict.findings },
    ...more,
  };
}
