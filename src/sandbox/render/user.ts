import type { JsonObject } from "../http/json.js";
import type { User } from "../world/state.js";
import type { World } from "../world/world.js";

/** GitHub's global ids: opaque to callers, and the same whenever they ask. */
export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`0:${kind}${id}`).toString("base64");
}

/** A login nobody has is shown as the ghost, as GitHub shows who deleted their account. */
export function renderUser(world: World, login: string): JsonObject {
  const user: User = world.user(login) ?? { id: 10137, login: "ghost", type: "User" };
  const path = encodeURIComponent(user.login);
  const url = `${world.url}/users/${path}`;
  return {
    login: user.login,
    id: user.id,
    node_id: nodeId("User", user.id),
    avatar_url: `${world.url}/_/avatars/${user.id}`,
    gravatar_id: "",
    url,
    html_url: `${world.url}/${path}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: user.type,
    site_admin: false,
    user_view_type: "public",
  };
}

/** What the page of a user shows on top. */
export function renderPublicUser(world: World, login: string): JsonObject {
  const repositories = world.state.repositories.filter(({ owner }) => owner === login);
  return {
    ...renderUser(world, login),
    ...{ name: login, company: null, blog: "", location: null, email: null, hireable: null, bio: null },
    ...{ twitter_username: null, public_gists: 0, followers: 0, following: 0 },
    public_repos: repositories.filter((repository) => !repository.private).length,
    created_at: "2020-01-01T00:00:00Z",
    updated_at: "2020-01-01T00:00:00Z",
  };
}

/** What only the user sees. */
export function renderPrivateUser(world: World, login: string): JsonObject {
  const hidden = world.state.repositories.filter(
    (repository) => repository.private && repository.owner === login,
  );
  return {
    ...renderPublicUser(world, login),
    user_view_type: "private",
    ...{ private_gists: 0, disk_usage: 0, collaborators: 0, two_factor_authentication: true },
    total_private_repos: hidden.length,
    owned_private_repos: hidden.length,
  };
}
