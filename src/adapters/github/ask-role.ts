import { z } from "zod";
import { type Role, readRole } from "../../core/commands/roles.js";
import type { Octokit } from "./app-client.js";
import type { RepositoryAt } from "./repository-at.js";
import { unlessGone } from "./request-error.js";

const Permission = z.object({ permission: z.string(), role_name: z.string().optional() });

/** What a person may do in the repository now, according to GitHub. */
export async function askRole(octokit: Octokit, at: RepositoryAt, login: string): Promise<Role> {
  const answer = await unlessGone(
    octokit.rest.repos.getCollaboratorPermissionLevel({ ...at, username: login }),
  );
  if (answer === null) return "none";
  const { role_name, permission } = Permission.parse(answer.data);
  return readRole(role_name, permission);
}
