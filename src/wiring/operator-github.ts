import type { Octokit } from "../adapters/github/app-client.js";
import { findToken } from "../adapters/github/find-token.js";
import { tokenClient } from "../adapters/github/token-client.js";
import { githubAt } from "../adapters/project/github-of.js";
import { pullAdvice } from "../core/replies/review/pull-words.js";
import { UserError } from "../lib/user-error.js";
import type { PullsAccess } from "../ports/pulls.js";
import type { WiredProject } from "./wire-project.js";

/** The project's repository on GitHub, with the operator's own token; or why there is no way to it. */
export type OperatorGithub =
  | {
      readonly kind: "github";
      readonly repository: string;
      /** Where people find it. */
      readonly host: string;
      readonly apiUrl: string;
      readonly client: Octokit;
    }
  | Exclude<PullsAccess, { readonly kind: "pulls" }>;

/** The operator's token is looked for now, and kept nowhere. */
export async function operatorGithub(
  project: Pick<WiredProject, "root" | "remote" | "token">,
): Promise<OperatorGithub> {
  const place = githubAt(project, project.remote);
  if (place.kind !== "github") return place;
  const { host, apiUrl, repository } = place;
  const token = project.token ?? (await findToken(host));
  if (token === null) return { kind: "no_token", host };
  return { kind: "github", repository, host, apiUrl, client: await tokenClient({ apiUrl, token }) };
}

/** The same for a command that is about pull requests, and nothing without them. */
export async function requireGithub(
  project: Pick<WiredProject, "root" | "remote" | "token">,
): Promise<Extract<OperatorGithub, { kind: "github" }>> {
  const github = await operatorGithub(project);
  if (github.kind === "no_token") throw UserError.of(pullAdvice.noToken(github.host));
  if (github.kind !== "github") throw UserError.of(pullAdvice.noGithub(github));
  return github;
}
