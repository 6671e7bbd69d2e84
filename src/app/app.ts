import type { Probot } from "probot";
import { type ButtonJob, readButtonJob } from "../core/model/button-job.js";
import { type CheckJob, readCheckJob } from "../core/model/check-job.js";
import {
  type CommentJob,
  readIssueComment,
  readReview,
  readReviewComment,
} from "../core/model/comment-job.js";
import { type PullJob, readPullJob } from "../core/model/pull-job.js";

import { type ReviewJob, readReviewVerdict } from "../core/model/review-job.js";

export interface Reactions {
  /** Null for what is no new text by a person, which is left alone. */
  comment(written: CommentJob | null): Promise<void>;
  /** Null for a review that neither gives nor takes an approval. */
  review(verdict: ReviewJob | null): Promise<void>;
  /** Something that a landing in the repository of this number may wait for. */
  landable(repository: number): Promise<void>;
  /** A check was reported, which is also something that a landing may wait for; null for what is none. */
  checked(check: CheckJob | null): Promise<void>;
  /** Somebody pressed a button on a check run of ours. The GUID is GitHub's for this delivery. */
  pressed(guid: string, press: ButtonJob | null): Promise<void>;
  /** Something happened on it, which is the same; null for what is none. */
  pullChanged(pull: PullJob | null): Promise<void>;
  /** It was closed, merged or opened again; null for what is none. */
  pullEnded(pull: PullJob | null): Promise<void>;
  /** It was opened, has other commits, or is a draft no more; null for what is none. */
  headChanged(pull: PullJob | null): Promise<void>;
  /** A workflow run of the repository of this number has ended. */
  runEnded(repository: number): Promise<void>;
}

/** Everything on GitHub that the App reacts to. The inbox keeps each delivery first; the lanes bring it here. */
export function registerReactions(app: Pick<Probot, "on">, on: Reactions): void {
  app.on("issue_comment.created", ({ payload }) => on.comment(readIssueComment(payload)));
  app.on("pull_request.closed", ({ payload }) => on.pullEnded(readPullJob(payload)));
  app.on("pull_request.reopened", ({ payload }) => on.pullEnded(readPullJob(payload)));
  const changed = [
    "pull_request.opened",
    "pull_request.synchronize",
    "pull_request.ready_for_review",
  ] as const;
  for (const event of changed) app.on(event, ({ payload }) => on.headChanged(readPullJob(payload)));
  app.on("pull_request_review.submitted", async ({ payload }) => {
    // First, so that a landing that the review's own text asks for finds its approval.
    await on.review(readReviewVerdict(payload));
    await on.comment(readReview(payload));
    await on.pullChanged(readPullJob(payload));
  });
  app.on("pull_request_review.dismissed", async ({ payload }) => {
    await on.review(readReviewVerdict(payload));
    await on.pullChanged(readPullJob(payload));
  });
  app.on("pull_request_review_comment.created", ({ payload }) => on.comment(readReviewComment(payload)));
  // What they tell is not believed: whoever lands asks GitHub again.
  app.on("check_run", ({ payload }) => on.checked(readCheckJob(payload)));
  app.on("check_run.requested_action", ({ id, payload }) => on.pressed(id, readButtonJob(payload)));
  app.on("check_suite", ({ payload }) => on.checked(readCheckJob(payload)));
  app.on("status", ({ payload }) => on.checked(readCheckJob(payload)));
  app.on("workflow_run.completed", ({ payload }) => on.runEnded(payload.repository.id));
  app.on("workflow_run", ({ payload }) => on.landable(payload.repository.id));
  app.on("pull_request", ({ payload }) => on.pullChanged(readPullJob(payload)));
  app.on("push", ({ payload }) => on.landable(payload.repository.id));
}
