import { z } from "zod";
import type { CommentRef } from "../../core/model/thread.js";
import type { Writing } from "../../ports/threads.js";
import type { Octokit } from "./app-client.js";
import { LAST_EDIT } from "./documents/last-edit.js";
import type { RepositoryAt } from "./repository-at.js";
import { unlessGone } from "./request-error.js";

export interface GithubWriting extends Writing {
  /** `type` as GitHub names it: `User`, `Bot` and others. */
  readonly author: Writing["author"] & { readonly type: string };
  /** The app whose token wrote it. Of reviews and what is said in them GitHub does not tell: null may be anybody's. */
  readonly viaApp: number | null;
}

/** GitHub shows what a deleted account wrote under this name. */
const GHOST = { login: "ghost", id: 10137, type: "User" };

const Written = z.object({
  node_id: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), id: z.number(), type: z.string().default("User") }).nullish(),
  html_url: z.string(),
  created_at: z.string().optional(),
  submitted_at: z.string().optional(),
  performed_via_github_app: z.object({ id: z.number() }).nullish(),
});

const LastEdit = z.object({ node: z.object({ lastEditedAt: z.string().nullable() }).nullable() });

/** Null when it was deleted, and for a review that nobody has sent yet. */
export async function readWriting(
  octokit: Octokit,
  at: RepositoryAt,
  comment: CommentRef,
): Promise<GithubWriting | null> {
  const answer = await unlessGone(ask(octokit, at, comment));
  if (answer === null) return null;
  const { node_id: writing, body, user, html_url: url, ...rest } = Written.parse(answer.data);
  const createdAt = comment.kind === "review" ? rest.submitted_at : rest.created_at;
  if (createdAt === undefined) return null;
  const viaApp = rest.performed_via_github_app?.id ?? null;
  const edited = async () => {
    const { node } = LastEdit.parse(await octokit.graphql(LAST_EDIT, { writing }));
    return node === null || node.lastEditedAt !== null;
  };
  return { body: body ?? "", author: user ?? GHOST, createdAt, url, viaApp, edited };
}

function ask(
  octokit: Octokit,
  at: RepositoryAt,
  { kind, id, thread }: CommentRef,
): Promise<{ data: unknown }> {
  switch (kind) {
    case "comment":
      return octokit.rest.issues.getComment({ ...at, comment_id: id });
    case "review-comment":
      return octokit.rest.pulls.getReviewComment({ ...at, comment_id: id });
    case "review":
      return octokit.rest.pulls.getReview({ ...at, pull_number: thread.number, review_id: id });
  }
}
