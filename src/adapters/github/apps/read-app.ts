import { z } from "zod";
import type { AppFacts } from "../../../core/doctor/examine-app.js";
import type { Octokit } from "../app-client.js";
import { repositoryAt } from "../repository-at.js";
import { statusOf, unlessGone } from "../request-error.js";

const App = z.object({
  id: z.number(),
  slug: z.string(),
  events: z.array(z.string()).default([]),
  permissions: z.record(z.string(), z.string()).default({}),
});
const Installation = App.pick({ id: true, events: true, permissions: true }).extend({
  suspended_at: z.string().nullish(),
});
const Token = z.object({ token: z.string() });

/** The App of this name as the client's token sees it; null when it does not. */
export async function readAppByName(octokit: Octokit, slug: string): Promise<AppFacts | null> {
  try {
    const { data } = await octokit.rest.apps.getBySlug({ app_slug: slug });
    return { kind: "seen", ...App.parse(data), installed: "unknown" };
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 403) return null;
    throw error;
  }
}

/**
 * The App that the client's key is of, and what its installation on the repository has accepted. The token may only
 * look; null where there is no installation to make it for.
 */
export async function readOwnApp(
  octokit: Octokit,
  repository: string,
): Promise<{ readonly app: AppFacts; readonly token: string | null }> {
  const app = App.parse((await octokit.rest.apps.getAuthenticated()).data);
  const at = repositoryAt(repository);
  const answer = await unlessGone(octokit.rest.apps.getRepoInstallation({ ...at }));
  if (answer === null) return { app: { kind: "seen", ...app, installed: "no" }, token: null };
  const { id, events, permissions, suspended_at } = Installation.parse(answer.data);
  if (suspended_at != null) return { app: { kind: "seen", ...app, installed: "suspended" }, token: null };
  const asked = { installation_id: id, repositories: [at.repo], permissions: { metadata: "read" } as const };
  const { data } = await octokit.rest.apps.createInstallationAccessToken(asked);
  return {
    app: { kind: "seen", id: app.id, slug: app.slug, events, permissions, installed: "yes" },
    token: Token.parse(data).token,
  };
}
