import type { AnalysisFailure, AnalysisOutcome, KnownAnalysis } from "../../review/pull/decide-analysis.js";
import type { Refused, ReplyRow } from "../commands/reply-row.js";
import { shownCode, shownText } from "../markdown.js";

const short = (sha: string) => shownCode(sha.slice(0, 12));
const AGAIN = shownCode("/koryph review");

/** Sentences about koryph's own analyses in replies to comments, in markdown. */
export const analysisReplies = {
  queued: (head: string): string => `a reviewer is about to read ${short(head)}`,
  already: (known: KnownAnalysis): string =>
    `${short(known.head)} was analysed already: ${verdictWords(known)}; ${shownCode("/koryph review full")} has it read again`,
  ended: (state: "merged" | "closed"): string =>
    `this pull request is ${state}, so there is nothing to analyse`,
  /** Letter by letter: nothing in it may pass for a mark of koryph's own. */
  remark: ({ text, login, url }: { text: string; login: string; url: string }): string =>
    `${shownText(text, 2_000)}\n\n*${shownText(login)}, [by comment](${encodeURI(url)})*`,
  remarked: (path: string, line: number): string => `your words go on ${shownCode(`${path}:${line}`, 300)}`,
  remarkAt: (url: string): string => `[here](${encodeURI(url)})`,
  remarkRefused: (why: string): Refused => ({
    kind: "refuse",
    code: "review_refused",
    said: `GitHub did not take the comment: ${shownText(why, 300)}`,
    next: "",
  }),
  noReviewer: (): Refused => ({
    kind: "refuse",
    code: "no_reviewer",
    said: "no reviewer is set up for this repository",
    next: `name a workflow in ${shownCode("jobs.workflow")} of the project file, start koryph with ${shownCode("--local-agents")}, or run ${shownCode("koryph review-pr")} on your machine`,
  }),
};

/** The row of a review that was asked for, once it is over. */
export function analysisRow(row: ReplyRow, outcome: AnalysisOutcome, clock: string): ReplyRow {
  if (outcome.kind === "unanalysed") {
    const { code } = outcome.why;
    return { ...row, result: "refused", code, said: failureWords(outcome.why) };
  }
  const by = outcome.verdict === null ? "read by a runner" : "analysed";
  const where =
    outcome.verdict === "degraded"
      ? "nothing was posted"
      : outcome.url === null
        ? "all of it stands on the pull request already"
        : `[the ${outcome.verdict === null ? "run" : "review"}](${encodeURI(outcome.url)})`;
  const said = `${short(outcome.head)} was ${by} at ${clock}: ${verdictWords(outcome)}; ${where}`;
  return { ...row, result: "done", said };
}

function verdictWords({ verdict, findings }: KnownAnalysis): string {
  if (verdict === null) return "its review tells what was found";
  if (verdict === "degraded") return "degraded, so there is no verdict";
  const count = findings === 0 ? "nothing found" : `${findings} ${findings === 1 ? "finding" : "findings"}`;
  return verdict === "blocking" ? `${count}, and the verdict blocks` : count;
}

function linked(url: string | null): string {
  return url === null ? "" : `: [its run](${encodeURI(url)})`;
}

function failureWords(why: AnalysisFailure): string {
  switch (why.code) {
    case "not_open":
      return why.state === "gone"
        ? "GitHub does not show this pull request any more"
        : analysisReplies.ended(why.state);
    case "head_moved":
      return `the reviewer read ${short(why.head)}, and the head is ${short(why.now)} by now, so nothing was posted; ${AGAIN} has the new head read`;
    case "reviewer_failed":
      return "the reviewer could not be run; whoever runs koryph finds the reason in its log";
    case "runner_refused":
      return `GitHub does not start ${shownCode(why.workflow)} (${why.status}); it must be on the default branch, take ${shownCode("workflow_dispatch")} with the inputs of docs/action.md, and the App needs ${shownCode("actions: write")}`;
    case "other_app":
      return `${shownCode("jobs.app")} in the project file names ${shownCode(why.named)}, and this App is ${shownCode(why.own)}; name this one there, on the default branch`;
    case "runner_failed":
      return `the runner did not come to its end${linked(why.url)}; ${AGAIN} asks again`;
    case "runner_silent":
      return `no runner has answered, although it was asked twice${linked(why.url)}; whoever looks after the runners can tell`;
    case "review_refused":
      return `GitHub did not take the review: ${shownText(why.detail, 300)}`;
  }
}
