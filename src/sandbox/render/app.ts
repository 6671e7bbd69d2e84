import type { JsonObject } from "../http/json.js";
import type { App, Installation } from "../world/app-state.js";
import type { World } from "../world/world.js";
import { nodeId, renderUser } from "./user.js";

const SINCE = "2020-01-01T00:00:00Z";

export function renderApp(world: World, app: App): JsonObject {
  return {
    id: app.id,
    slug: app.slug,
    client_id: app.clientId,
    node_id: nodeId("App", app.id),
    owner: renderUser(world, app.owner),
    name: app.name,
    description: null,
    external_url: `${world.url}/apps/${app.slug}`,
    html_url: `${world.url}/apps/${app.slug}`,
    created_at: SINCE,
    updated_at: SINCE,
    permissions: { metadata: "read", ...app.permissions },
    events: app.events,
    installations_count: app.installations.length,
  };
}

export function renderInstallation(world: World, app: App, installation: Installation): JsonObject {
  const account = renderUser(world, installation.account);
  return {
    id: installation.id,
    account,
    repository_selection: "selected",
    access_tokens_url: `${world.url}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${world.url}/installation/repositories`,
    html_url: `${world.url}/settings/installations/${installation.id}`,
    app_id: app.id,
    app_slug: app.slug,
    client_id: app.clientId,
    target_id: account.id,
    target_type: account.type,
    permissions: { metadata: "read", ...app.permissions },
    events: app.events,
    created_at: installation.createdAt,
    updated_at: installation.createdAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: installation.suspended ? account : null,
    suspended_at: installation.suspended ? installation.createdAt : null,
  };
}
