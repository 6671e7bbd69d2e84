import { issueToken } from "../auth/auth.js";
import { fullName } from "../render/repository.js";
import { ACTIONS_APP_ID, ACTIONS_BOT, isActionsApp } from "./actions-app-id.js";
import type { App } from "./app-state.js";
import type { Repository } from "./state.js";
import type { World } from "./world.js";
import { addUser } from "./world-build.js";

/** Made when it is first needed. It has no key and no address: nobody runs it but GitHub. */
export function actionsApp(world: World): App {
  const known = world.state.apps.find(({ id }) => isActionsApp(id));
  if (known !== undefined) return known;
  const app: App = {
    id: ACTIONS_APP_ID,
    ...{
      slug: "github-actions",
      name: "GitHub Actions",
      owner: addUser(world, "github", "Organization").login,
    },
    ...{ clientId: "Iv23liactions", publicKey: "", webhookUrl: null, webhookSecret: "", events: [] },
    permissions: {},
    installations: [],
    botUser: addUser(world, ACTIONS_BOT, "Bot").id,
  };
  world.state.apps.push(app);
  return app;
}

/** What a workflow run of the repository has as `GITHUB_TOKEN`: it reaches this repository only, and changes no workflow. */
export function actionsToken(
  world: World,
  repository: Repository,
  permissions: Readonly<Record<string, "read" | "write">>,
): string {
  const app = actionsApp(world);
  let installation = app.installations.find(({ account }) => account === repository.owner);
  if (installation === undefined) {
    installation = {
      ...{ id: world.newId(), account: repository.owner, suspended: false, createdAt: world.timestamp() },
      repositories: [],
    };
    app.installations.push(installation);
  }
  const name = fullName(repository);
  if (!installation.repositories.includes(name)) installation.repositories.push(name);
  const { workflows: _, ...granted } = permissions;
  return issueToken(world, "ghs_", {
    ...{ kind: "installation", login: null, app: app.id, installation: installation.id, expiresAt: null },
    ...{ permissions: granted, repositories: [name] },
  });
}
