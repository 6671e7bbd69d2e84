import { z } from "zod";
import type { CommentRef } from "./thread.js";

/** Something a person wrote, wherever we heard of it: all that the handler needs to know before it asks GitHub. */
export const CommentJob = z.object({
  repository: z.object({ fullName: z.string().regex(/^[^/\s]+\/[^/\s]+$/), id: z.number().int().positive() }),
  installation: z.number(),
  thread: z.object({ number: z.number().int().positive(), kind: z.enum(["issue", "pull"]) }),
  comment: z.object({
    kind: z.enum(["comment", "review", "review-comment"]),
    id: z.number().int().positive(),
    url: z.string(),
    createdAt: z.string(),
    body: z.string(),
  }),
  author: z.object({ login: z.string().min(1), id: z.number(), type: z.string() }),
  /** The app whose token wrote it; null for a person's own hand, and where GitHub does not tell: of reviews, it never does. */
  viaApp: z.number().nullable(),
});
export type CommentJob = z.infer<typeof CommentJob>;

/** The name under which a comment that no webhook told of lies in the inbox; its payload is a `CommentJob`. */
export const SWEPT_COMMENT = "koryph.comment";

/** Null for everything that is not a new text by somebody, on a thread, in a repository the App is installed on. */
export function readCommentJob(eventName: string, payload: unknown): CommentJob | null {
  switch (eventName) {
    case "issue_comment":
      return readIssueComment(payload);
    case "pull_request_review":
      return readReview(payload);
    case "pull_request_review_comment":
      return readReviewComment(payload);
    case SWEPT_COMMENT:
      return CommentJob.safeParse(payload).data ?? null;
    default:
      return null;
  }
}

export function commentRef({ repository, thread, comment }: CommentJob): CommentRef {
  return {
    kind: comment.kind,
    id: comment.id,
    thread: { repository: repository.fullName, number: thread.number, kind: thread.kind },
  };
}

/**
 * Names a comment for good, whichever way we heard of it. GitHub gives a number once for each kind, and a repository may
 * get another name.
 */
export function commentKey({ kind, id }: Pick<CommentRef, "kind" | "id">): string {
  return `${kind} ${id}`;
}

const Delivered = z.object({
  installation: z.object({ id: z.number() }),
  repository: z.object({ id: z.number(), full_name: z.string() }),
});

const Author = z.object({ login: z.string(), id: z.number(), type: z.string().default("User") });

const Text = z.object({ id: z.number(), html_url: z.string(), body: z.string(), user: Author });

const Comment = Text.extend({
  created_at: z.string(),
  performed_via_github_app: z.object({ id: z.number() }).nullish(),
});

const Pull = z.object({ number: z.number() });

const IssueComment = Delivered.extend({
  action: z.literal("created"),
  issue: z.object({ number: z.number(), pull_request: z.unknown().optional() }),
  comment: Comment,
});

const Review = Delivered.extend({
  action: z.literal("submitted"),
  pull_request: Pull,
  review: Text.extend({ submitted_at: z.string() }),
});

const ReviewComment = Delivered.extend({
  action: z.literal("created"),
  pull_request: Pull,
  comment: Comment,
});

function readIssueComment(payload: unknown): CommentJob | null {
  const { data } = IssueComment.safeParse(payload);
  if (data === undefined) return null;
  const kind = data.issue.pull_request ? "pull" : "issue";
  return job(data, { number: data.issue.number, kind }, "comment", data.comment);
}

function readReview(payload: unknown): CommentJob | null {
  const { data } = Review.safeParse(payload);
  if (data === undefined) return null;
  // GitHub tells of no review, neither here nor elsewhere, whether an app sent it in a person's name.
  const written = { ...data.review, created_at: data.review.submitted_at, performed_via_github_app: null };
  return job(data, { number: data.pull_request.number, kind: "pull" }, "review", written);
}

function readReviewComment(payload: unknown): CommentJob | null {
  const { data } = ReviewComment.safeParse(payload);
  if (data === undefined) return null;
  return job(data, { number: data.pull_request.number, kind: "pull" }, "review-comment", data.comment);
}

function job(
  { installation, repository }: z.infer<typeof Delivered>,
  thread: CommentJob["thread"],
  kind: CommentJob["comment"]["kind"],
  written: z.infer<typeof Comment>,
): CommentJob | null {
  const found = CommentJob.safeParse({
    repository: { fullName: repository.full_name, id: repository.id },
    installation: installation.id,
    thread,
    comment: {
      kind,
      id: written.id,
      url: written.html_url,
      createdAt: written.created_at,
      body: written.body,
    },
    author: { login: written.user.login, id: written.user.id, type: written.user.type },
    viaApp: written.performed_via_github_app?.id ?? null,
  });
  return found.data ?? null;
}
