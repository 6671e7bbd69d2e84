import { z } from "zod";
import type { CommentRef } from "../../core/model/thread.js";
import type { ReactionName } from "../../ports/threads.js";
import type { Octokit } from "./app-client.js";
import { ADD_REACTION } from "./documents/add-reaction.js";
import { unlessGone } from "./request-error.js";
import type { RepositoryAt } from "./writing.js";

const CONTENT: Readonly<Record<ReactionName, string>> = {
  eyes: "EYES",
  rocket: "ROCKET",
  "+1": "THUMBS_UP",
  "-1": "THUMBS_DOWN",
  confused: "CONFUSED",
};

const Node = z.object({ node_id: z.string() });

/** GraphQL knows a review by another id, which only the review itself tells. A review that is gone is no error. */
export async function reactToReview(
  octokit: Octokit,
  at: RepositoryAt,
  { id, thread }: CommentRef,
  reaction: ReactionName,
): Promise<void> {
  const answer = await unlessGone(
    octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}", {
      ...at,
      pull_number: thread.number,
      review_id: id,
    }),
  );
  if (answer === null) return;
  const { node_id: subject } = Node.parse(answer.data);
  try {
    await octokit.graphql(ADD_REACTION, { subject, content: CONTENT[reaction] });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function isNotFound(error: unknown): boolean {
  const errors = (error as { errors?: unknown } | null)?.errors;
  return Array.isArray(errors) && errors.length > 0 && errors.every((one) => one?.type === "NOT_FOUND");
}
