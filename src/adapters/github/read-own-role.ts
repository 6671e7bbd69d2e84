import { z } from "zod";
import type { Octokit } from "./app-client.js";
import { repositoryAt } from "./repository-at.js";

const Access = z.object({
  default_branch: z.string(),
  permissions: z.record(z.string(), z.boolean()).optional(),
  private: z.boolean().optional(),
  owner: z.object({ login: z.string(), type: z.string().optional() }).optional(),
});

const ROLES = ["admin", "maintain", "push", "triage", "pull"] as const;

export interface OwnRole {
  readonly defaultBranch: string;
  readonly role: string | null;
  /** Whether everybody can read it; yes where GitHub does not say. */
  readonly isPublic: boolean;
  /** The organisation that it belongs to; null for a person's. */
  readonly organisation: string | null;
}

/** What the client's own token may do with a repository; null where GitHub does not say, as for some apps. */
export async function readOwnRole(octokit: Octokit, repository: string): Promise<OwnRole> {
  const { data } = await octokit.rest.repos.get({ ...repositoryAt(repository) });
  const { default_branch: defaultBranch, permissions, owner, private: hidden = false } = Access.parse(data);
  return {
    ...{ defaultBranch, role: ROLES.find((role) => permissions?.[role]) ?? null, isPublic: !hidden },
    organisation: owner?.type === "Organization" ? owner.login : null,
  };
}
