import { REVIEW_CHECK, reviewCheck } from "../../core/replies/review/pull-check.js";
import type { AnalysisEnd, PullAnalysis } from "../../core/review/pull/analysis.js";
import type { ChangedLines } from "../../core/review/pull/changed-lines.js";
import type { Digest } from "../../core/review/pull/finding-identity.js";
import type { CheckRuns, Published } from "../../ports/check-runs.js";
import type { Pulls } from "../../ports/pulls.js";
import type { Reviews } from "../../ports/reviews.js";
import { type PostedAnalysis, postReview } from "./post-review.js";

export interface PublishParts {
  readonly pulls: Pick<Pulls, "read">;
  readonly reviews: Reviews;
  readonly checks: CheckRuns;
  readonly digest: Digest;
}

/** An analysis is of one commit: where the pull request has moved on since, nothing is posted. */
export async function postAnalysis(
  { pulls, reviews, digest }: PublishParts,
  analysis: PullAnalysis,
  changed: ChangedLines,
): Promise<PostedAnalysis | { readonly kind: "moved"; readonly to: string }> {
  const now = await pulls.read(analysis.pull);
  if (now !== null && now.head.sha !== analysis.head) return { kind: "moved", to: now.head.sha };
  return postReview(reviews, { analysis, changed, digest });
}

/** The check run of an analysis is on its commit afterwards, where the token may write one. */
export async function publishReviewCheck(
  { checks, digest }: Pick<PublishParts, "checks" | "digest">,
  pull: number,
  end: AnalysisEnd,
): Promise<Published> {
  const check = reviewCheck(end, pull);
  const head = end.kind === "analysed" ? end.analysis.head : end.head;
  const externalId = `koryph-review:${pull}:${digest(JSON.stringify([head, check]))}`;
  return checks.publish({ name: REVIEW_CHECK, head, externalId, ...check });
}
