import { z } from "zod";
import type { Octokit } from "../app-client.js";
import { readPages } from "../read-pages.js";
import { repositoryAt } from "../repository-at.js";
import { statusOf } from "../request-error.js";

const Review = z.object({
  state: z.string(),
  commit_id: z.string().nullable(),
  user: z.object({ id: z.number() }).nullable(),
});

export interface ReviewWish {
  /** `owner/name`. */
  readonly repository: string;
  readonly pull: number;
  readonly head: string;
  readonly user: number;
  readonly body: string;
}

/**
 * The person's approving review of exactly this head is there afterwards; false when GitHub will not have it from them,
 * or from an app for them. `octokit` speaks for the person.
 */
export async function approveAs(octokit: Octokit, wish: ReviewWish): Promise<boolean> {
  const { owner, repo } = repositoryAt(wish.repository);
  const at = { owner, repo, pull_number: wish.pull };
  try {
    const pages = readPages(Review, (page) => octokit.rest.pulls.listReviews({ ...at, ...page }));
    for await (const { state, commit_id, user } of pages)
      if (state === "APPROVED" && commit_id === wish.head && user?.id === wish.user) return true;
    const { head: commit_id, body } = wish;
    await octokit.rest.pulls.createReview({ ...at, commit_id, event: "APPROVE", body });
    return true;
  } catch (error) {
    // The token was revoked, the person lost their access, or the head is another by now.
    if ([401, 403, 404, 422].includes(statusOf(error) ?? 0)) return false;
    throw error;
  }
}
