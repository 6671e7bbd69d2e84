import { z } from "zod";
import { includesRole, type Role } from "../../core/commands/roles.js";
import { statusMarker } from "../../core/replies/land/pull/status-comment.js";
import type { Octokit } from "./app-client.js";
import { readPages } from "./read-pages.js";
import type { RepositoryAt } from "./repository-at.js";

const Comment = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), type: z.string() }).nullish(),
});

/**
 * The status comment of a thread, whoever wrote it: the App and an engine have different accounts. Anybody can write its
 * marker, so only a bot's counts, and that of somebody who may change comments anyway. Null when there is none.
 */
export async function findStatus(
  octokit: Octokit,
  at: RepositoryAt,
  { thread, roleOf }: { readonly thread: number; readonly roleOf: (login: string) => Promise<Role> },
): Promise<{ readonly id: number; readonly body: string } | null> {
  const pages = readPages(Comment, (page) =>
    octokit.rest.issues.listComments({ ...at, issue_number: thread, ...page }),
  );
  for await (const { id, body, user } of pages) {
    if (!body?.startsWith(statusMarker(thread)) || user == null) continue;
    if (user.type === "Bot" || includesRole(await roleOf(user.login), "write")) return { id, body };
  }
  return null;
}
