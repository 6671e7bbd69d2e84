import { issueToken } from "../auth/auth.js";
import type { JsonObject, JsonValue } from "../http/json.js";
import { type Call, HttpRefusal, listAnswer, paged, type Route, repositoryOf } from "../http/route.js";
import { renderApp, renderInstallation } from "../render/app.js";
import { fullName, renderRepository } from "../render/repository.js";
import type { App, Installation } from "../world/app-state.js";
import { covers } from "../world/deliver.js";
import type { Repository } from "../world/state.js";
import type { World } from "../world/world.js";

export const appRoutes: readonly Route[] = [
  {
    operation: "apps/get-authenticated",
    method: "GET",
    path: "/app",
    needs: "app",
    answer: (call) => ({ status: 200, body: renderApp(call.world, appOfJwt(call)) }),
  },
  {
    operation: "apps/get-by-slug",
    method: "GET",
    path: "/apps/{app_slug}",
    needs: "anyone",
    answer: ({ world, params }) => {
      const slug = params.app_slug?.toLowerCase();
      const app = world.state.apps.find((each) => each.slug.toLowerCase() === slug);
      if (app === undefined) throw new HttpRefusal(404, "Not Found");
      return { status: 200, body: renderApp(world, app) };
    },
  },
  {
    operation: "apps/list-installations",
    method: "GET",
    path: "/app/installations",
    needs: "app",
    answer: (call) => {
      const app = appOfJwt(call);
      const since = call.query.get("since") ?? "";
      const found = app.installations.filter(({ createdAt }) => createdAt >= since);
      return listAnswer(
        call,
        found.map((each) => listed(renderInstallation(call.world, app, each))),
      );
    },
  },
  {
    operation: "apps/get-installation",
    method: "GET",
    path: "/app/installations/{installation_id}",
    needs: "app",
    answer: (call) => {
      const app = appOfJwt(call);
      return { status: 200, body: renderInstallation(call.world, app, installationOf(call, app)) };
    },
  },
  {
    operation: "apps/create-installation-access-token",
    method: "POST",
    path: "/app/installations/{installation_id}/access_tokens",
    needs: "app",
    answer: (call) => ({ status: 201, body: newInstallationToken(call) }),
  },
  {
    operation: "apps/get-repo-installation",
    method: "GET",
    path: "/repos/{owner}/{repo}/installation",
    needs: "app",
    answer: (call) => {
      const app = appOfJwt(call);
      const repository = repositoryOf(call);
      const installation = app.installations.find((each) => covers(each, repository));
      if (installation === undefined) throw new HttpRefusal(404, "Not Found");
      return { status: 200, body: renderInstallation(call.world, app, installation) };
    },
  },
  {
    operation: "apps/list-repos-accessible-to-installation",
    method: "GET",
    path: "/installation/repositories",
    needs: "token",
    answer: (call) => {
      const { world, caller } = call;
      if (caller.kind !== "installation")
        throw new HttpRefusal(403, "Resource not accessible by personal access token");
      const names = caller.repositories ?? caller.installation.repositories;
      const { items, lastPage } = paged(call, repositoriesNamed(world, names));
      const repositories = items.map((each) => renderRepository(world, each));
      const body = { total_count: names.length, repository_selection: "selected", repositories };
      return { status: 200, body, lastPage };
    },
  },
];

/** GitHub describes the accounts in this one list as users and enterprises at once. */
function listed(installation: JsonObject): JsonObject {
  const { login, ...rest } = installation.account as JsonObject;
  const enterprise = { name: login, slug: login, created_at: null, updated_at: null };
  return { ...installation, account: { login, ...rest, ...enterprise } };
}

export function appOfJwt({ caller }: Call): App {
  if (caller.kind !== "app") throw new HttpRefusal(401, "A JSON web token could not be decoded");
  return caller.app;
}

function installationOf({ params }: Call, app: App): Installation {
  const found = app.installations.find(({ id }) => id === Number(params.installation_id));
  if (found === undefined) throw new HttpRefusal(404, "Not Found");
  return found;
}

function repositoriesNamed(world: World, names: readonly string[]): Repository[] {
  return names.flatMap((name) => world.repository(name) ?? []);
}

/** A token may be narrowed to some of the repositories and permissions, never widened. */
function newInstallationToken(call: Call): JsonObject {
  const { world } = call;
  const app = appOfJwt(call);
  const installation = installationOf(call, app);
  if (installation.suspended) throw new HttpRefusal(403, "This installation has been suspended");
  const permissions = narrowedPermissions(app, call.body.permissions);
  const repositories = narrowedRepositories(world, installation, call.body);
  const expiresAt = `${new Date(world.now() + world.switches.tokenSeconds * 1_000).toISOString().slice(0, 19)}Z`;
  const token = issueToken(world, `ghs_${app.id}_`, {
    kind: "installation",
    login: null,
    app: app.id,
    installation: installation.id,
    permissions,
    repositories: repositories?.map(fullName) ?? null,
    expiresAt,
  });
  return {
    token,
    expires_at: expiresAt,
    permissions: { ...permissions },
    repository_selection: "selected",
    ...(repositories === null
      ? {}
      : { repositories: repositories.map((each) => renderRepository(world, each)) }),
  };
}

function narrowedPermissions(app: App, wanted: JsonValue | undefined): Record<string, "read" | "write"> {
  const granted: Record<string, "read" | "write"> = { metadata: "read", ...app.permissions };
  if (typeof wanted !== "object" || wanted === null) return granted;
  const narrowed: Record<string, "read" | "write"> = { metadata: "read" };
  for (const [name, level] of Object.entries(wanted)) {
    if (level !== "read" && granted[name] !== "write")
      throw new HttpRefusal(422, "The permissions requested are not granted to this installation.");
    if (granted[name] === undefined)
      throw new HttpRefusal(422, "The permissions requested are not granted to this installation.");
    narrowed[name] = level === "read" ? "read" : "write";
  }
  return narrowed;
}

function narrowedRepositories(
  world: World,
  installation: Installation,
  body: JsonObject,
): Repository[] | null {
  const reachable = repositoriesNamed(world, installation.repositories);
  const { repositories: names, repository_ids: ids } = body;
  if (!Array.isArray(names) && !Array.isArray(ids)) return null;
  const pick = (wanted: JsonValue | undefined, key: (repository: Repository) => JsonValue) =>
    (Array.isArray(wanted) ? wanted : []).map((each: JsonValue) => {
      const found = reachable.find((repository) => key(repository) === each);
      if (found !== undefined) return found;
      throw new HttpRefusal(
        422,
        "There is at least one repository that does not exist or is not accessible to the parent installation.",
      );
    });
  return [...new Set([...pick(names, ({ name }) => name), ...pick(ids, ({ id }) => id)])];
}
