import { nodeId } from "../render/user.js";
import type { GraphqlObject, View } from "./graphql-view.js";

/** Null for a login that is nobody's. A bot's login has no `[bot]` here, unlike in REST. */
export function actorObject({ world }: View, login: string | null): GraphqlObject | null {
  const user = login === null ? null : world.user(login);
  if (user === null) return null;
  const shown = user.type === "Bot" ? user.login.replace(/\[bot\]$/, "") : user.login;
  const resourcePath = user.type === "Bot" ? `/apps/${shown}` : `/${shown}`;
  return {
    __typename: user.type,
    id: nodeId("User", user.id),
    databaseId: user.id,
    login: shown,
    name: shown,
    email: "",
    avatarUrl: `${world.url}/_/avatars/${user.id}`,
    resourcePath,
    url: `${world.url}${resourcePath}`,
  };
}
