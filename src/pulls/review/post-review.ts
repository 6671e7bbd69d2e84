import {
  continuedBody,
  findingComment,
  findingsApart,
  findingsBody,
  fixedComment,
  reviewBody,
} from "../../core/replies/review/pull-review.js";
import type { PullAnalysis } from "../../core/review/pull/analysis.js";
import type { ChangedLines } from "../../core/review/pull/changed-lines.js";
import type { Digest } from "../../core/review/pull/finding-identity.js";
import { readReviewMarker } from "../../core/review/pull/finding-marker.js";
import { type KnownThread, knownThread } from "../../core/review/pull/known-thread.js";
import { COMMENTS_AT_ONCE } from "../../core/review/pull/limits.js";
import { type PlannedFinding, planReview, type ReviewPlan } from "../../core/review/pull/plan-review.js";
import { batchesOf } from "../../lib/fit/batches-of.js";
import type { ReviewDraft, Reviews, Submitted } from "../../ports/reviews.js";

export interface PostFacts {
  readonly analysis: PullAnalysis;
  readonly changed: ChangedLines;
  readonly digest: Digest;
}

export type PostedAnalysis =
  /** Null where there was nothing to say: all of it stands there already. */
  | {
      readonly kind: "posted";
      readonly url: string | null;
      readonly plan: ReviewPlan;
      readonly resolved: number;
    }
  | { readonly kind: "refused"; readonly why: string };

type Planned = ReviewPlan["post"][number];

/** Says what earlier reviews have not said, and closes what is mended. Repeated, it says nothing twice. */
export async function postReview(
  reviews: Reviews,
  { analysis, changed, digest }: PostFacts,
): Promise<PostedAnalysis> {
  const { pull, head, verdict } = analysis;
  const earlier = await reviews.earlier(pull);
  const threads = earlier.threads.map(knownThread).filter((thread) => thread !== null);
  const told = new Set(earlier.bodies.flatMap((body) => readReviewMarker(body)?.told ?? []));
  const plan = planReview({ findings: verdict.findings, changed, threads, told }, digest);
  const first = !earlier.bodies.some((body) => readReviewMarker(body) !== null);
  const news = plan.post.length + plan.fold.length + plan.resolve.length;
  // The first analysis is told also where it found nothing.
  const said = news > 0 || first ? await say(reviews, { analysis, plan, digest }) : null;
  if (said?.kind === "refused") return said;
  let resolved = 0;
  for (const thread of plan.resolve) if (await settle(reviews, thread, head)) resolved += 1;
  return { kind: "posted", url: said?.url ?? null, plan, resolved };
}

/** The mark is written first: without it the next analysis would take the thread for one that a person closed. */
async function settle(reviews: Reviews, thread: KnownThread, head: string): Promise<boolean> {
  const { comment } = thread;
  const body = fixedComment(thread, head);
  if (body !== comment.body && !(await reviews.edit(comment.id, body))) return false;
  return reviews.resolve(thread.thread);
}

interface SayFacts {
  readonly analysis: PullAnalysis;
  readonly plan: ReviewPlan;
  readonly digest: Digest;
}

/**
 * Comments go in batches. The last one carries the text, which by then knows of every comment that GitHub would not take
 * on its line.
 */
async function say(
  reviews: Reviews,
  { analysis, plan, digest }: SayFacts,
): Promise<Exclude<Submitted, { kind: "misplaced" }>> {
  const { pull, head } = analysis;
  const misplaced: Planned[] = [];
  const draft = (body: string, comments: readonly Planned[]): ReviewDraft => ({
    ...{ event: "comment", head, body },
    comments: comments.map((planned) => ({
      ...{ path: planned.at.path, line: planned.at.line },
      body: findingComment(planned, head),
    })),
  });
  const key = (of: readonly PlannedFinding[], part: string) =>
    digest(JSON.stringify([head, part, plan.fold.map(({ id }) => id), of.map(({ id }) => id)]));
  const apart = new Set<PlannedFinding>();
  /** What does not fit into the text with its words goes ahead of it: whoever reads a place alone knows nothing. */
  const main = async (comments: readonly Planned[]): Promise<Submitted> => {
    const facts = { analysis, plan, misplaced, apart, key: key(comments, "main") };
    for (const portion of findingsApart(facts)) {
      const sent = await reviews.submit(pull, draft(findingsBody(key(portion, "findings"), portion), []));
      if (sent.kind !== "posted") return sent;
      for (const each of portion) apart.add(each);
    }
    return reviews.submit(pull, draft(reviewBody(facts), comments));
  };
  /** One comment that GitHub does not place spoils its whole batch, so that one is halved until it stands alone. */
  const more = async (comments: readonly Planned[]): Promise<Submitted | null> => {
    if (comments.length === 0) return null;
    const body = continuedBody(key(comments, "more"), comments.length);
    const sent = await reviews.submit(pull, draft(body, comments));
    if (sent.kind !== "misplaced") return sent;
    if (comments.length === 1) {
      misplaced.push(...comments);
      return null;
    }
    const half = Math.ceil(comments.length / 2);
    const before = await more(comments.slice(0, half));
    return before?.kind === "refused" ? before : more(comments.slice(half));
  };

  const batches = batchesOf(plan.post, COMMENTS_AT_ONCE);
  const last = batches.pop() ?? [];
  for (const batch of batches) {
    const sent = await more(batch);
    if (sent?.kind === "refused") return sent;
  }
  const sent = await main(last);
  if (sent.kind !== "misplaced") return sent;
  const rest = await more(last);
  if (rest?.kind === "refused") return rest;
  const alone = await main([]);
  if (alone.kind === "misplaced") throw new Error("GitHub finds no place for a review without comments");
  return alone;
}
