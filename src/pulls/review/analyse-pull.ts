import type { AnalysisFailure, AnalysisOutcome } from "../../core/review/pull/decide-analysis.js";
import { type PublishParts, postAnalysis, publishReviewCheck } from "./publish-analysis.js";
import {
  linesOf,
  openPullRequest,
  type ReviewedPull,
  type ReviewPullParts,
  reviewPull,
} from "./review-pull.js";

export interface AnalysePullParts {
  readonly review: ReviewPullParts;
  readonly publish: PublishParts;
}

/**
 * Has a pull request read and says what is new about it, for somebody who asked at `since`. Repeated after a crash, it
 * goes on with the analysis that was made since then, and says nothing twice. Null when it was interrupted.
 */
export async function analysePull(
  { review, publish }: AnalysePullParts,
  number: number,
  since: number,
): Promise<AnalysisOutcome | null> {
  const read = await readSince(review, number, since);
  const at = review.now().toISOString();
  const failed = (why: AnalysisFailure): AnalysisOutcome => ({ kind: "unanalysed", at, why });
  switch (read.kind) {
    case "interrupted":
      return null;
    case "absent":
      return failed({ code: "not_open", state: "gone" });
    case "ended":
      return failed({ code: "not_open", state: read.state });
    case "degraded":
      await publishReviewCheck(publish, number, read);
      return { kind: "analysed", at, head: read.head, verdict: "degraded", findings: 0, url: null };
    case "analysed": {
      const { head, verdict } = read.analysis;
      const posted = await postAnalysis(publish, read.analysis, read.changed);
      if (posted.kind === "moved") return failed({ code: "head_moved", head, now: posted.to });
      if (posted.kind === "refused") return failed({ code: "review_refused", detail: posted.why });
      await publishReviewCheck(publish, number, read);
      return {
        ...{ kind: "analysed", at, head, findings: verdict.findings.length, url: posted.url },
        verdict: verdict.blocking ? "blocking" : "clean",
      };
    }
  }
}

/** A reviewer costs money: what one has said of this very head since then is not asked for again. */
async function readSince(parts: ReviewPullParts, number: number, since: number): Promise<ReviewedPull> {
  const kept = await parts.analyses.read(number);
  if (kept === null || Date.parse(kept.at) < since) return reviewPull(parts, number);
  const pull = await openPullRequest(parts, number);
  if ("kind" in pull) return pull;
  const { head, changed } = await linesOf(parts, number, pull.base.branch);
  return head === kept.head ? { kind: "analysed", analysis: kept, changed } : reviewPull(parts, number);
}
