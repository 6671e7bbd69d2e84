import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import type { DegradedReview } from "../../review/read-verdict.js";
import { CRITERION_STATUSES, type Finding, SEVERITIES, type Verdict } from "../../review/verdict.js";

/** Why a review could not be understood, without any of the reviewer's words. */
export function degradedReviewText(why: DegradedReview): string {
  switch (why.code) {
    case "empty":
      return "the reviewer gave no answer";
    case "no-verdict":
      return "the reviewer's answer holds no verdict";
    case "cut-off":
      return "the reviewer's answer breaks off in the middle of its verdict";
    case "malformed":
      return `the reviewer's verdict is malformed${why.path === "" ? "" : ` at ${why.path}`}`;
    case "key-twice":
      return "the reviewer's verdict names a key twice, so it is not clear which one counts";
    case "died":
      return `the reviewer came to no end of its own: ${why.outcome}`;
    case "program-failed":
      return "the reviewer's program reported an error in place of an answer";
  }
}

/** One line for ledger and terminal. Counts only: the ledger may be public, a reviewer's words are not. */
export function reviewSummary({ blocking, criteria, findings }: Verdict): string {
  const judged = CRITERION_STATUSES.map((status) => ({
    count: criteria.filter((each) => each.status === status).length,
    status: status.replace("-", " "),
  })).filter(({ count }) => count > 0);
  const found = SEVERITIES.map((severity) => ({
    count: findings.filter((each) => each.severity === severity).length,
    severity,
  })).filter(({ count }) => count > 0);
  return [
    blocking ? "review blocks" : "review passed",
    judged.length === 0
      ? "no criteria"
      : `criteria: ${judged.map(({ count, status }) => `${count} ${status}`).join(", ")}`,
    found.length === 0
      ? "no findings"
      : `findings: ${found.map(({ count, severity }) => `${count} ${severity}`).join(", ")}`,
  ].join("; ");
}

/** For the implementer: what the reviewer found, worst first, and how each criterion was judged. */
export function reviewReport(verdict: Verdict): string {
  const { blocking, criteria, findings } = verdict;
  const says = findings.length + criteria.filter(({ status }) => status === "unsatisfied").length > 0;
  return [
    "# Review",
    "",
    `In short: ${reviewSummary(verdict)}.`,
    ...(blocking && !says
      ? ["", "The reviewer blocks and names no reason. Look at the change with fresh eyes."]
      : []),
    ...(findings.length === 0 ? [] : ["", "## Findings", ...findings.map(findingText)]),
    ...(criteria.length === 0 ? [] : ["", "## Criteria"]),
    ...criteria.map(
      ({ id, status, evidence }) => `- ${oneLine(id)} ${status}: ${oneLine(evidence) || "(no evidence)"}`,
    ),
    "",
  ].join("\n");
}

function findingText({ severity, file, line, summary }: Finding): string {
  const place = oneLine(file) + (line === null ? "" : `:${line}`);
  return `- [${severity}] ${place === "" ? "" : `${place}: `}${oneLine(summary) || "(no words)"}`;
}

/** As a verdict is read, texts are single lines already; one that comes from a file may not be. */
function oneLine(text: string): string {
  return cutText(plainText(text), 2_000);
}
