import { byteLength, cutBytes } from "../../../lib/fit/cut-bytes.js";
import { type AnalysisEnd, type Annotation, annotationsOf } from "../../review/pull/analysis.js";
import { CHECK_BYTES } from "../../review/pull/limits.js";
import { findingList } from "./finding-list.js";
import { allOfIt, criteriaTable, disclaimer, verdictTitle } from "./pull-review.js";
import { degradedReviewText, reviewSummary } from "./review.js";

export const REVIEW_CHECK = "koryph / review";

/** What the check run of an analysis shows. */
export interface ReviewCheck {
  readonly conclusion: "success" | "failure" | "neutral";
  readonly title: string;
  readonly summary: string;
  readonly text: string;
  readonly annotations: readonly Annotation[];
}

export function reviewCheck(end: AnalysisEnd, pull: number): ReviewCheck {
  if (end.kind === "degraded")
    return {
      conclusion: "neutral",
      title: "degraded: there is no verdict",
      summary: `${disclaimer(end.head)}\n\n${degradedLine(end)}`,
      text: "",
      annotations: [],
    };
  const { verdict, head } = end.analysis;
  const after = `\n\n${allOfIt(pull)}`;
  const { text, listed } = findingList(verdict.findings, CHECK_BYTES - byteLength(after));
  return {
    conclusion: verdict.blocking ? "failure" : "success",
    title: verdictTitle(verdict),
    summary: cutBytes(
      [
        disclaimer(head),
        "",
        `${reviewSummary(verdict)}.`,
        ...criteriaTable(verdict.criteria, CHECK_BYTES / 2),
      ].join("\n"),
      CHECK_BYTES,
    ),
    text: listed < verdict.findings.length ? `${text}${after}` : text,
    annotations: annotationsOf(verdict.findings),
  };
}

/** An analysis without a verdict, in one line. It is not clean, and nothing is posted on lines. */
export function degradedLine({ why }: Extract<AnalysisEnd, { kind: "degraded" }>): string {
  return `The analysis is degraded, which is not clean: ${degradedReviewText(why)}.`;
}
