import { z } from "zod";
import type { RecentComment } from "../../../core/recovery/choose-missed.js";
import type { GithubApp } from "../app-client.js";
import type { ThreadsPlace } from "../github-threads.js";
import { readPages } from "../read-pages.js";
import { repositoryAt } from "../repository-at.js";

const Comment = z.object({
  id: z.number(),
  html_url: z.string(),
  issue_url: z.string(),
  body: z.string().nullish(),
  created_at: z.string(),
  updated_at: z.string(),
  user: z.object({ login: z.string(), id: z.number(), type: z.string() }).nullable(),
  performed_via_github_app: z.object({ id: z.number() }).nullish(),
});

/** What was written or changed since then on the issues and pull requests of a repository; not on lines of changes. */
export async function readRecentComments(
  app: GithubApp,
  { installation, repository }: ThreadsPlace,
  since: number,
): Promise<readonly RecentComment[]> {
  const octokit = await app.asInstallation(installation);
  const pages = readPages(Comment, (page) =>
    octokit.rest.issues.listCommentsForRepo({
      ...repositoryAt(repository),
      since: `${new Date(since).toISOString().slice(0, 19)}Z`,
      ...page,
    }),
  );
  const found: RecentComment[] = [];
  for await (const comment of pages) {
    const number = Number(/\/issues\/(\d+)$/.exec(comment.issue_url)?.[1]);
    // GitHub shows nobody where the account is gone.
    if (comment.user === null || !Number.isSafeInteger(number)) continue;
    const { id, html_url: url, created_at: createdAt, updated_at, body, user: author } = comment;
    found.push({
      ...{ kind: "comment", id, url, createdAt, body: body ?? "", author },
      edited: updated_at !== createdAt,
      thread: { number, kind: url.includes(`/pull/${number}#`) ? "pull" : "issue" },
      viaApp: comment.performed_via_github_app?.id ?? null,
    });
  }
  return found;
}
