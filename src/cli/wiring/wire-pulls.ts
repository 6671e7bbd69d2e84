import { findToken } from "../../adapters/github/find-token.js";
import { GithubPulls } from "../../adapters/github/github-pulls.js";
import { tokenClient } from "../../adapters/github/token-client.js";
import { githubAt } from "../../adapters/project/github-of.js";
import type { PullsAccess } from "../../ports/pulls.js";
import type { WiredProject } from "./wire-project.js";

/** The operator's way to the project's pull requests. The token is looked for now, and kept nowhere. */
export async function wirePulls(project: Pick<WiredProject, "root" | "remote">): Promise<PullsAccess> {
  const place = githubAt(project, project.remote);
  if (place.kind !== "github") return place;
  const { host, apiUrl, repository } = place;
  const token = await findToken(host);
  if (token === null) return { kind: "no_token", host };
  const client = tokenClient({ apiUrl, token });
  return { kind: "pulls", pulls: new GithubPulls(async () => client, repository) };
}
