import { claimant } from "../../core/model/claim.js";
import { workAdvice } from "../../core/replies/config/work.js";
import { issueAdvice } from "../../core/replies/issues/issue-advice.js";
import { UserError } from "../../lib/user-error.js";
import { findToken } from "../github/find-token.js";
import { type GithubIssues, githubIssues } from "../github/issues/github-issues.js";
import { tokenClient } from "../github/token-client.js";
import { githubOf } from "../project/github-of.js";
import type { Project } from "../project/open-project.js";

/** The issues of the repository that the project's remote is, with the project's token or else the operator's own. */
export async function openIssues(project: Project, now: () => number): Promise<GithubIssues> {
  const { release_label: label, project_id: id } = project.config;
  const place = await githubOf(project);
  if (place.kind !== "github") throw UserError.of(workAdvice.noIssues(place));
  const { host, apiUrl, repository } = place;
  const token = project.token ?? (await findToken(host));
  if (token === null) throw UserError.of(issueAdvice.noToken(host));
  const octokit = await tokenClient({ apiUrl, token });
  return githubIssues({ octokit, repository, label, claimant: claimant(id), now });
}
