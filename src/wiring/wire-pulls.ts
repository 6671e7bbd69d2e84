import { GithubPulls } from "../adapters/github/github-pulls.js";
import type { PullsAccess } from "../ports/pulls.js";
import { operatorGithub } from "./operator-github.js";
import type { WiredProject } from "./wire-project.js";

/** The operator's way to the project's pull requests. */
export async function wirePulls(
  project: Pick<WiredProject, "root" | "remote" | "token">,
): Promise<PullsAccess> {
  const github = await operatorGithub(project);
  if (github.kind !== "github") return github;
  return { kind: "pulls", pulls: new GithubPulls(async () => github.client, github.repository) };
}
