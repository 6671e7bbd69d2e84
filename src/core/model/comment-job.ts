import { z } from "zod";
import type { CommentRef } from "./thread.js";

const Id = z.number().int().positive();
const FullName = z.string().regex(/^[^/\s]+\/[^/\s]+$/);
const Author = z.object({ login: z.string().min(1), id: z.number(), type: z.string() });

/** Something a person wrote, wherever we heard of it: all that the handler needs to know before it asks GitHub. */
export const CommentJob = z.object({
  repository: z.object({ fullName: FullName, id: Id }),
  installation: z.number(),
  thread: z.object({ number: Id, kind: z.enum(["issue", "pull"]) }),
  comment: z.object({
    kind: z.enum(["comment", "review", "review-comment"]),
    id: Id,
    url: z.string(),
    createdAt: z.string(),
    body: z.string(),
  }),
  author: Author,
  /** The app whose token wrote it; null for a person's own hand, and where GitHub does not tell: of reviews, it never does. */
  viaApp: z.number().nullable(),
});
export type CommentJob = z.infer<typeof CommentJob>;

/** The name under which a comment that no webhook told of lies in the inbox; its payload is a `CommentJob`. */
export const SWEPT_COMMENT = "koryph.comment";

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
  repository: z.object({ id: Id, full_name: FullName }),
});

const Text = z.object({
  id: Id,
  html_url: z.string(),
  body: z.string(),
  user: Author.extend({ type: z.string().default("User") }),
});

const Comment = Text.extend({
  created_at: z.string(),
  performed_via_github_app: z.object({ id: z.number() }).nullish(),
});

const Pull = z.object({ number: Id });

const IssueComment = Delivered.extend({
  action: z.literal("created"),
  issue: z.object({ number: Id, pull_request: z.unknown().optional() }),
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

/** Null, as with the next two, for all but a new text by somebody, in a repository the App is installed on. */
export function readIssueComment(payload: unknown): CommentJob | null {
  const { data } = IssueComment.safeParse(payload);
  if (data === undefined) return null;
  const kind = data.issue.pull_request ? "pull" : "issue";
  return commentJob(data, { number: data.issue.number, kind }, "comment", data.comment);
}

export function readReview(payload: unknown): CommentJob | null {
  const { data } = Review.safeParse(payload);
  if (data === undefined) return null;
  // GitHub tells of no review, neither here nor elsewhere, whether an app sent it in a person's name.
  const written = { ...data.review, created_at: data.review.submitted_at, performed_via_github_app: null };
  return commentJob(data, { number: data.pull_request.number, kind: "pull" }, "review", written);
}

export function readReviewComment(payload: unknown): CommentJob | null {
  const { data } = ReviewComment.safeParse(payload);
  if (data === undefined) return null;
  const thread = { number: data.pull_request.number, kind: "pull" } as const;
  return commentJob(data, thread, "review-comment", data.comment);
}

/** A `CommentJob` as it lies in the inbox; null for anything else. */
export function readKeptComment(payload: unknown): CommentJob | null {
  return CommentJob.safeParse(payload).data ?? null;
}

function commentJob(
  { installation, repository }: z.infer<typeof Delivered>,
  thread: CommentJob["thread"],
  kind: CommentJob["comment"]["kind"],
  { id, html_url: url, created_at: createdAt, body, user, ...rest }: z.infer<typeof Comment>,
): CommentJob {
  return {
    repository: { fullName: repository.full_name, id: repository.id },
    installation: installation.id,
    thread,
    comment: { kind, id, url, createdAt, body },
    author: user,
    viaApp: rest.performed_via_github_app?.id ?? null,
  };
}
