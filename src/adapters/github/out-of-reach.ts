import type { GithubApp } from "./app-client.js";
import { AppDirectory } from "./app-directory.js";
import type { ThreadsPlace } from "./github-threads.js";
import { repositoryAt } from "./repository-at.js";
import { statusOf } from "./request-error.js";

/** What GitHub may answer where the App was taken off, suspended, or never was; it has other reasons for each. */
const SHUT: readonly (number | null)[] = [401, 403, 404, 410, 422, 451];

/** Whether something failed because the App can no longer do anything on the repository. GitHub is asked. */
export async function isOutOfReach(
  app: GithubApp,
  { installation, repository }: ThreadsPlace,
  error: unknown,
): Promise<boolean> {
  if (!SHUT.includes(statusOf(error))) return false;
  const { owner, repo } = repositoryAt(repository);
  return (await new AppDirectory(app).installationOf(owner, repo)) !== installation;
}
