import { z } from "zod";
import type { Octokit } from "./app-client.js";
import { repositoryAt } from "./repository-at.js";

const Access = z.object({
  default_branch: z.string(),
  permissions: z.record(z.string(), z.boolean()).optional(),
});

const ROLES = ["admin", "maintain", "push", "triage", "pull"] as const;

/** What the client's own token may do with a repository; null where GitHub does not say, as for some apps. */
export async function readOwnRole(
  octokit: Octokit,
  repository: string,
): Promise<{ readonly defaultBranch: string; readonly role: string | null }> {
  const { data } = await octokit.rest.repos.get({ ...repositoryAt(repository) });
  const { default_branch: defaultBranch, permissions } = Access.parse(data);
  return { defaultBranch, role: ROLES.find((role) => permissions?.[role]) ?? null };
}
