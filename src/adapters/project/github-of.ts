import { resolve } from "node:path";
import { type GithubRemote, type NoGithub, readGithubRemote } from "../../core/config/github-remote.js";
import { UserError } from "../../lib/user-error.js";
import { openRemote, type Remote } from "../git/remote/remote.js";
import type { Project } from "./open-project.js";

/** Which repository on GitHub a project's remote is, or why it is none. */
export async function githubOf(project: Project): Promise<GithubRemote | NoGithub> {
  try {
    return githubAt(project, await openRemote(project.root, project.config.ledger.remote));
  } catch (error) {
    // No repository, or none of its remotes is the project's: whoever needs one says so.
    if (error instanceof UserError) return { kind: "no_remote" };
    throw error;
  }
}

export function githubAt({ root }: Pick<Project, "root">, remote: Remote): GithubRemote | NoGithub {
  const { url, pushUrl } = remote;
  const { GITHUB_SERVER_URL, GITHUB_API_URL } = process.env;
  return readGithubRemote(
    { pushUrl, isCheckout: url === resolve(root) },
    { GITHUB_SERVER_URL, GITHUB_API_URL },
  );
}

/** What keeps pull requests from being opened, for whoever plans a run; undefined when nothing does. */
export async function noPullsOf(project: Project): Promise<NoGithub | undefined> {
  const found = await githubOf(project);
  return found.kind === "github" ? undefined : found;
}
