import { byteLength } from "../../../lib/fit/cut-bytes.js";
import { fitLines } from "../../../lib/fit/fit-lines.js";
import type { PullAnalysis } from "../../review/pull/analysis.js";
import {
  findingMarker,
  remarksMarker,
  reviewMarker,
  withFindingMarker,
} from "../../review/pull/finding-marker.js";
import type { KnownThread } from "../../review/pull/known-thread.js";
import { BODY_BYTES, MOST_FINDING_REVIEWS } from "../../review/pull/limits.js";
import type { PlannedFinding, ReviewPlan } from "../../review/pull/plan-review.js";
import type { LineRemark } from "../../review/pull/review-request.js";
import type { JudgedCriterion, Verdict } from "../../review/verdict.js";
import { shortSha } from "../land/quote.js";
import { shownCode, shownText } from "../markdown.js";
import { countBySeverity, findingList, findingPortions } from "./finding-list.js";

const EVIDENCE_CHARACTERS = 300;
/** Of the criteria: the findings get the rest. */
const CRITERIA_BYTES = 15_000;
/** Of a review that only carries findings. */
const HEADING_BYTES = 300;
/** What a mark takes to name one finding. */
const NAME_BYTES = 70;

/** A comment on one line. The mark comes first, where no words of a reviewer can stand. */
export function findingComment({ finding, ...identity }: PlannedFinding, head: string): string {
  const { severity, summary } = finding;
  return [
    findingMarker({ ...identity, fixed: null }),
    `**${severity}**: ${shownText(summary, 1_500) || "(no words)"}`,
    "",
    `<sub>From koryph's analysis of ${shownCode(shortSha(head))}. Resolve this conversation, and koryph says no more of it.</sub>`,
  ].join("\n");
}

/** The same comment once its finding is gone. Done again it changes nothing. */
export function fixedComment({ comment, mark }: KnownThread, head: string): string {
  if (mark.fixed !== null) return comment.body;
  const marked = withFindingMarker(comment.body, { ...mark, fixed: head });
  return `${marked}\n\nNot found any more as of ${shownCode(shortSha(head))}.`;
}

export interface ReviewBodyFacts {
  readonly analysis: PullAnalysis;
  readonly plan: ReviewPlan;
  /** Comments that GitHub would not take on their lines. */
  readonly misplaced: readonly PlannedFinding[];
  /** Those that further reviews carry in their text. */
  readonly apart?: ReadonlySet<PlannedFinding>;
  /** Names this review; the same for the same analysis and plan. */
  readonly key: string;
}

/** The text of the review that carries the comments: what the analysis came to, and what no line can carry. */
export function reviewBody(facts: ReviewBodyFacts): string {
  return fittedBody(facts).body;
}

/** What the text would have to list without its words, in the portions in which further reviews carry it. */
export function findingsApart(facts: ReviewBodyFacts): PlannedFinding[][] {
  const { folded, worded } = fittedBody(facts);
  // A review names the words of each finding in its mark.
  const fit = { bytes: BODY_BYTES - HEADING_BYTES, extra: NAME_BYTES };
  return findingPortions(folded.slice(worded), fit).slice(0, MOST_FINDING_REVIEWS);
}

function fittedBody({ analysis, plan, misplaced, apart = new Set(), key }: ReviewBodyFacts) {
  const folded = [...misplaced, ...plan.fold].filter((each) => !apart.has(each));
  const before = (told: readonly string[]) => [
    reviewMarker(key, told),
    `### ${verdictTitle(analysis.verdict)}`,
    "",
    disclaimer(analysis.head),
    ...criteriaTable(analysis.verdict.criteria, CRITERIA_BYTES),
    "",
    ...planLines(plan, misplaced.length),
    ...(apart.size === 0 ? [] : [`- of these in the reviews before this one: ${apart.size}`]),
    ...(folded.length === 0 ? [] : ["", "Not on a line of the change:", ""]),
  ];
  const after = `\n\n${allOfIt(analysis.pull)}`;
  const widest = before(folded.map(({ words }) => words)).join("\n");
  const room = BODY_BYTES - byteLength(widest) - byteLength(after) - 1;
  const { text, listed, worded } = findingList(
    folded.map(({ finding }) => finding),
    room,
  );
  const told = folded.slice(0, listed).map(({ words }) => words);
  const body = `${before(told).join("\n")}\n${text}${listed < folded.length ? after : ""}`.trimEnd();
  return { body, folded, worded };
}

/** The text of a review that only carries further findings, all of them with their words. */
export function findingsBody(key: string, planned: readonly PlannedFinding[]): string {
  const told = planned.map(({ words }) => words);
  const findings = planned.map(({ finding }) => finding);
  const count = `${planned.length} more ${planned.length === 1 ? "finding" : "findings"}`;
  return [
    reviewMarker(key, told),
    `${count} of koryph's analysis, not on a line of the change:`,
    "",
    findingList(findings, BODY_BYTES).text,
  ].join("\n");
}

/** The text of a review that only carries further comments. */
export function continuedBody(key: string, count: number): string {
  return `${reviewMarker(key, [])}\n${count} more ${count === 1 ? "comment" : "comments"} of koryph's analysis.`;
}

/** The text around the operator's own remarks, with those that no line of the change can carry. */
export function remarksBody(key: string, folded: readonly LineRemark[]): string {
  const lines = folded.map(({ path, line, message }) => `- ${shownCode(`${path}:${line}`, 300)}: ${message}`);
  const note = (kept: number) => `- … and ${folded.length - kept} more`;
  return [
    remarksMarker(key),
    fitLines(lines, { bytes: BODY_BYTES - 200, note }).text || "Remarks on lines.",
  ].join("\n");
}

/** Where all of it is, for whoever reads a text that was cut. */
export function allOfIt(pull: number): string {
  return `*GitHub takes no more. ${shownCode(`koryph review-pr ${pull} --resume`)} shows all of it where the analysis was made.*`;
}

export function verdictTitle({ blocking }: Verdict): string {
  return blocking
    ? "koryph's analysis: something should change first"
    : "koryph's analysis: nothing that blocks";
}

export function disclaimer(head: string): string {
  return `An agent read ${shownCode(shortSha(head))}. This is an analysis, not an approval.`;
}

/** Empty where there are no criteria. */
export function criteriaTable(criteria: readonly JudgedCriterion[], bytes: number): string[] {
  if (criteria.length === 0) return [];
  const rows = criteria.map(
    ({ id, status, evidence }) =>
      `| ${shownCode(id)} | ${status.replace("-", " ")} | ${shownText(evidence, EVIDENCE_CHARACTERS)} |`,
  );
  const note = (kept: number) => `| … | and ${criteria.length - kept} more | |`;
  return [
    "",
    "| criterion | judged | evidence |",
    "| --- | --- | --- |",
    fitLines(rows, { bytes, note }).text,
  ];
}

function planLines({ post, fold, silent, resolve, leave }: ReviewPlan, misplaced: number): string[] {
  const silentFor = (why: string) => silent.filter((each) => each.why === why).length;
  const leftFor = (why: string) => leave.filter((each) => each.why === why).length;
  const fresh = [...post, ...fold].map(({ finding }) => finding);
  const counts: readonly (readonly [string, number, string?])[] = [
    ["new", fresh.length, countBySeverity(fresh)],
    ["of these on lines of the change", post.length - misplaced],
    ["told before, and still there", silentFor("live") + silentFor("told")],
    ["dismissed by a person, so not repeated", silentFor("dismissed")],
    ["gone, conversation resolved", resolve.length],
    ["gone, but people talk there: resolve the conversation yourself", leftFor("answered")],
    ["not found again although the code is unchanged: judge for yourself", leftFor("unchanged")],
  ];
  const lines = counts
    .filter(([, count]) => count > 0)
    .map(([what, count, more]) => `- ${what}: ${count}${more === undefined ? "" : ` (${more})`}`);
  return lines.length === 0 ? ["No findings."] : lines;
}
