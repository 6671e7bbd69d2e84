import type { Octokit } from "../../../adapters/github/app-client.js";
import { findToken } from "../../../adapters/github/find-token.js";
import { tokenClient } from "../../../adapters/github/token-client.js";
import { githubAt } from "../../../adapters/project/github-of.js";
import type { PullsAccess } from "../../../ports/pulls.js";
import type { WiredProject } from "../wire-project.js";

/** The project's repository on GitHub, with the operator's own token; or why there is no way to it. */
export type OperatorGithub =
  | { readonly kind: "github"; readonly repository: string; readonly client: Octokit }
  | Exclude<PullsAccess, { readonly kind: "pulls" }>;

/** The token is looked for now, and kept nowhere. */
export async function operatorGithub(
  project: Pick<WiredProject, "root" | "remote">,
): Promise<OperatorGithub> {
  const place = githubAt(project, project.remote);
  if (place.kind !== "github") return place;
  const { host, apiUrl, repository } = place;
  const token = await findToken(host);
  if (token === null) return { kind: "no_token", host };
  return { kind: "github", repository, client: tokenClient({ apiUrl, token }) };
}
