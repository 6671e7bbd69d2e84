import type { Octokit } from "./app-client.js";
import type { RepositoryAt } from "./repository-at.js";
import { unlessGone } from "./request-error.js";

/** Whether a branch has a commit; false for one of the two that is not there. */
export async function branchHas(
  octokit: Octokit,
  at: RepositoryAt,
  { branch, commit }: { readonly branch: string; readonly commit: string },
): Promise<boolean> {
  const basehead = `${branch}...${commit}`;
  const answer = await unlessGone(octokit.rest.repos.compareCommitsWithBasehead({ ...at, basehead }));
  return answer?.data.status === "behind" || answer?.data.status === "identical";
}
