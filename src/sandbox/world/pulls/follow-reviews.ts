import { isAncestor } from "../../git/world-git.js";
import { pullChanges, renderPullSimple } from "../../render/pull.js";
import { renderToldReview } from "../../render/review.js";
import type { Review } from "../state.js";
import { type Author, type PullThread, recordEvent } from "../thread-changes.js";
import { rulesFor } from "./review-state.js";

/** What a new head does to reviews of the one before. */
export async function followReviews(thread: PullThread, by: Author, before: string): Promise<void> {
  const { world, repository, issue } = thread;
  const reviews = repository.reviews.filter(({ pull }) => pull === issue.number);
  const { headSha } = issue.pull;
  if (reviews.length === 0) return;
  if (world.switches.reanchorReviews && !(await isAncestor(repository, [before, headSha])))
    for (const review of reviews) if (review.commit === before) review.commit = headSha;
  const dismisses = rulesFor(repository, issue.pull.baseRef).some(
    ({ parameters }) => parameters.dismiss_stale_reviews_on_push === true,
  );
  const approvals = reviews.filter(({ state }) => state === "APPROVED");
  if (!dismisses || approvals.length === 0 || !(await changesDiffer(thread, before))) return;
  for (const review of approvals) dismiss(thread, by, { review, message: "" });
}

/** A head that proposes the same as before is not a new proposal. */
async function changesDiffer({ world, repository, issue }: PullThread, before: string): Promise<boolean> {
  const [old, now] = await Promise.all([
    pullChanges(world, repository, { ...issue.pull, headSha: before }),
    pullChanges(world, repository, issue.pull),
  ]);
  return JSON.stringify(old) !== JSON.stringify(now);
}

/** Takes the weight off a judgement; everybody hears of it. */
export function dismiss(
  thread: PullThread,
  by: Author,
  { review, message }: { readonly review: Review; readonly message: string },
): void {
  const { world, repository, issue } = thread;
  const dismissed = {
    state: review.state.toLowerCase(),
    review_id: review.id,
    dismissal_message: message === "" ? null : message,
  };
  review.state = "DISMISSED";
  recordEvent(thread, by, "review_dismissed", { dismissed_review: dismissed });
  world.tell({
    event: "pull_request_review",
    action: "dismissed",
    repository,
    sender: by.login,
    payload: {
      review: renderToldReview(world, repository, issue, review),
      pull_request: renderPullSimple(world, repository, issue),
    },
  });
}
