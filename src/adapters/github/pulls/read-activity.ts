import { z } from "zod";
import type { BranchActivity } from "../../../core/land/pull/bind-head.js";
import type { Octokit } from "../app-client.js";
import { repositoryAt } from "../repository-at.js";
import { statusOf, unlessGone } from "../request-error.js";

const Entry = z.object({
  after: z.string(),
  timestamp: z.string(),
  actor: z.object({ id: z.number(), login: z.string() }).nullish(),
});

/** More pushes than that have no pull request's branch. */
const MOST_PAGES = 20;

/** What happened to a branch, newest first; null where we may not look. GitHub hands it out by cursors. */
export async function readActivity(
  octokit: Octokit,
  repository: string,
  branch: string,
): Promise<readonly BranchActivity[] | null> {
  const { owner, repo } = repositoryAt(repository);
  const found: BranchActivity[] = [];
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await unlessHidden(
      octokit.rest.repos.listActivities({
        ...{ owner, repo, per_page: 100, ref: `refs/heads/${branch}` },
        ...(after !== undefined && { after }),
      }),
    );
    if (answer === null) return null;
    for (const { after: head, timestamp, actor } of z.array(Entry).parse(answer.data))
      found.push({ after: head, at: timestamp, actor: actor ?? null });
    after = nextCursor(answer.headers.link);
    if (after === undefined) return found;
  }
  return null;
}

async function unlessHidden<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await unlessGone(answer);
  } catch (error) {
    if (statusOf(error) === 403) return null;
    throw error;
  }
}

function nextCursor(link: string | undefined): string | undefined {
  const [, url] = /<([^>]+)>; rel="next"/.exec(link ?? "") ?? [];
  return url === undefined ? undefined : (new URL(url).searchParams.get("after") ?? undefined);
}
