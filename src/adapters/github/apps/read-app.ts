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
const Token = z.object({ token: z.string(), expires_at: z.iso.datetime({ offset: true }) });

/** An App where it is installed: what was accepted there. */
export interface AppInstallation {
  readonly id: number;
  readonly events: readonly string[];
  readonly permissions: Readonly<Record<string, string>>;
  readonly isSuspended: boolean;
}

/** On this repository, of the App that the client's key is of; null where there is none. */
export async function readInstallation(
  octokit: Octokit,
  repository: string,
): Promise<AppInstallation | null> {
  const answer = await unlessGone(octokit.rest.apps.getRepoInstallation({ ...repositoryAt(repository) }));
  if (answer === null) return null;
  const { suspended_at, ...rest } = Installation.parse(answer.data);
  return { ...rest, isSuspended: suspended_at != null };
}

/** A token for one repository, by the key of its App. */
export async function mintToken(
  octokit: Octokit,
  asked: {
    readonly installation: number;
    readonly repository: string;
    readonly permissions: Readonly<Record<string, string>>;
  },
): Promise<{ readonly token: string; readonly expiresAt: number }> {
  const { installation, repository, permissions } = asked;
  const { data } = await octokit.rest.apps.createInstallationAccessToken({
    ...{ installation_id: installation, repositories: [repositoryAt(repository).repo], permissions },
  });
  const { token, expires_at } = Token.parse(data);
  return { token, expiresAt: Date.parse(expires_at) };
}

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
  const installation = await readInstallation(octokit, repository);
  if (installation === null) return { app: { kind: "seen", ...app, installed: "no" }, token: null };
  const { id, events, permissions, isSuspended } = installation;
  if (isSuspended) return { app: { kind: "seen", ...app, installed: "suspended" }, token: null };
  const looks = await mintToken(octokit, { installation: id, repository, permissions: { metadata: "read" } });
  return {
    app: { kind: "seen", id: app.id, slug: app.slug, events, permissions, installed: "yes" },
    token: looks.token,
  };
}
