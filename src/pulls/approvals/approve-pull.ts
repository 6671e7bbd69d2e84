import type { Person } from "../../core/land/pull/count-approvals.js";
import { redactText } from "../../core/redact.js";
import { pullAdvice } from "../../core/replies/review/pull-words.js";
import { isSameLogin } from "../../core/review/pull/review-request.js";
import { UserError } from "../../lib/user-error.js";
import type { PullFacts } from "../../ports/pulls.js";
import type { Reviews, SubmittedReview } from "../../ports/reviews.js";

/** An approving review, and who gave it. */
export interface OwnApproval {
  readonly review: SubmittedReview;
  readonly by: Person;
}

/**
 * The operator's own approving review of the head as it is now. Refused where the operator opened the pull request or
 * has a commit in it. Findings of an analysis do not matter: people decide.
 */
export async function approvePull(reviews: Reviews, pull: PullFacts, body: string): Promise<OwnApproval> {
  const { number, author, head } = pull;
  const by = await reviews.viewer();
  const { login: viewer } = by;
  if (by.id === author.id) throw UserError.of(pullAdvice.ownPull(number, viewer));
  const committers = await reviews.committers(number);
  if (committers === null) throw UserError.of(pullAdvice.tooManyCommits(number));
  if (committers.some((login) => isSameLogin(login, viewer)))
    throw UserError.of(pullAdvice.ownCommit(number, viewer));
  const sent = await reviews.submit(number, {
    ...{ event: "approve", head: head.sha, body: redactText(body), comments: [] },
  });
  if (sent.kind !== "posted")
    throw UserError.of(pullAdvice.refused(number, sent.kind === "refused" ? sent.why : sent.kind));
  return { review: sent, by };
}
