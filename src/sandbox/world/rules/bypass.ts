import { isActionsApp } from "../actions-app-id.js";
import type { Repository } from "../state.js";
import type { Mover, World } from "../world.js";
import type { BypassActor, Ruleset } from "./ruleset.js";

/** GitHub's numbers of the roles that can be let past. */
const ROLES: Readonly<Record<number, readonly string[]>> = {
  2: ["maintain", "admin"],
  4: ["write", "maintain", "admin"],
  5: ["admin"],
};

export type Bypass = BypassActor["mode"] | "never";

/** How far somebody is let past a ruleset. */
export function bypassOf(
  world: World,
  repository: Repository,
  { bypass }: Pick<Ruleset, "bypass">,
  mover: Pick<Mover, "login" | "app">,
): Bypass {
  const modes = bypass.filter((actor) => isMeant(world, repository, actor, mover)).map(({ mode }) => mode);
  return (["exempt", "always", "pull_request"] as const).find((mode) => modes.includes(mode)) ?? "never";
}

function isMeant(
  world: World,
  repository: Repository,
  { type, id }: BypassActor,
  { login, app }: Pick<Mover, "login" | "app">,
): boolean {
  switch (type) {
    case "Integration":
      // What an app does for a person is the person's doing. The token of a workflow run is never let past.
      return app === id && !isActionsApp(id) && world.user(login)?.type === "Bot";
    case "User":
      return world.user(login)?.id === id;
    case "RepositoryRole":
      return (ROLES[id] ?? []).includes(world.role(repository, login));
    case "OrganizationAdmin":
      return (
        world.user(repository.owner)?.type === "Organization" && world.role(repository, login) === "admin"
      );
  }
}
