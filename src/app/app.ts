import type { Probot } from "probot";
import {
  type CommentJob,
  readIssueComment,
  readReview,
  readReviewComment,
} from "../core/model/comment-job.js";

export interface Reactions {
  /** Null for what is no new text by a person, which is left alone. */
  comment(written: CommentJob | null): Promise<void>;
}

/** Everything on GitHub that the App reacts to. The inbox keeps each delivery first; the lanes bring it here. */
export function registerReactions(app: Pick<Probot, "on">, on: Reactions): void {
  app.on("issue_comment.created", ({ payload }) => on.comment(readIssueComment(payload)));
  app.on("pull_request_review.submitted", ({ payload }) => on.comment(readReview(payload)));
  app.on("pull_request_review_comment.created", ({ payload }) => on.comment(readReviewComment(payload)));
}
