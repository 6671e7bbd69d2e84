import type { App, Token } from "../world/app-state.js";
import type { World } from "../world/world.js";

/** Apps that may act in a person's name. */
export function authorizedApps({ state }: World, login: string): App[] {
  return state.apps.filter(({ id }) => state.tokens.some((token) => isGrant(token, login, id)));
}

/** Takes every token an App got of a person. False when it has none. */
export function takeBack(world: World, login: string, app: number): boolean {
  const { tokens } = world.state;
  const left = tokens.filter((token) => !isGrant(token, login, app));
  if (left.length === tokens.length) return false;
  world.state.tokens = left;
  // The counter tells that there is something to write down.
  world.newId();
  return true;
}

function isGrant(token: Token, login: string, app: number): boolean {
  return token.kind === "user-to-server" && token.login === login && token.app === app;
}
