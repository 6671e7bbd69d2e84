import { z } from "zod";
import type { CommentRef } from "../../core/model/thread.js";
import type { ReactionName } from "../../ports/threads.js";
import type { Octokit } from "./app-client.js";
import { ADD_REACTION } from "./documents/add-reaction.js";
import { REVIEW_REACTIONS } from "./documents/review-reactions.js";
import type { RepositoryAt } from "./repository-at.js";
import { unlessGone } from "./request-error.js";

const CONTENT: Readonly<Record<ReactionName, string>> = {
  eyes: "EYES",
  rocket: "ROCKET",
  "+1": "THUMBS_UP",
  "-1": "THUMBS_DOWN",
  confused: "CONFUSED",
};

const Node = z.object({ node_id: z.string() });
const Groups = z.object({
  node: z
    .object({
      reactionGroups: z.array(z.object({ content: z.string(), viewerHasReacted: z.boolean() })).nullish(),
    })
    .nullable(),
});

/** A review that is gone is no error. */
export async function reactToReview(
  octokit: Octokit,
  at: RepositoryAt,
  review: CommentRef,
  reaction: ReactionName,
): Promise<void> {
  const subject = await nodeOf(octokit, at, review);
  if (subject === null) return;
  await unlessNotFound(octokit.graphql(ADD_REACTION, { subject, content: CONTENT[reaction] }));
}

/** Our own reactions to a review; none when it is gone. */
export async function reactionsToReview(
  octokit: Octokit,
  at: RepositoryAt,
  review: CommentRef,
): Promise<readonly ReactionName[]> {
  const subject = await nodeOf(octokit, at, review);
  const answer =
    subject === null ? null : await unlessNotFound(octokit.graphql(REVIEW_REACTIONS, { review: subject }));
  const groups = answer === null ? [] : (Groups.parse(answer).node?.reactionGroups ?? []);
  const own = new Set(groups.filter(({ viewerHasReacted: mine }) => mine).map(({ content }) => content));
  return (Object.keys(CONTENT) as ReactionName[]).filter((name) => own.has(CONTENT[name]));
}

/** GraphQL knows a review by another id, which only the review itself tells. Null when it is gone. */
async function nodeOf(
  octokit: Octokit,
  at: RepositoryAt,
  { id, thread }: CommentRef,
): Promise<string | null> {
  const answer = await unlessGone(
    octokit.rest.pulls.getReview({
      ...at,
      pull_number: thread.number,
      review_id: id,
    }),
  );
  return answer === null ? null : Node.parse(answer.data).node_id;
}

async function unlessNotFound(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  const errors = (error as { errors?: unknown } | null)?.errors;
  return Array.isArray(errors) && errors.length > 0 && errors.every((one) => one?.type === "NOT_FOUND");
}
