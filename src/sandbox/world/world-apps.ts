import { createPublicKey, generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { issueShownToken, issueToken } from "../auth/auth.js";
import { fullName } from "../render/repository.js";
import { nodeId } from "../render/user.js";
import type { App } from "./app-state.js";
import type { World } from "./world.js";
import { addUser } from "./world-build.js";

export interface NewApp {
  readonly slug: string;
  /** For people; the slug when it is not given. */
  readonly name?: string;
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  readonly events: readonly string[];
  readonly owner?: string;
  readonly webhookUrl?: string;
  readonly webhookSecret?: string;
  /** PEM; a new one is made when it is not given. */
  readonly privateKey?: string;
}

export interface NewAppKeys {
  readonly id: number;
  readonly clientId: string;
  /** PEM; nothing keeps it but the caller. */
  readonly privateKey: string;
  readonly webhookSecret: string;
}

export async function addApp(world: World, wanted: NewApp): Promise<NewAppKeys> {
  const privateKey = wanted.privateKey ?? (await newKey());
  const owner = addUser(
    world,
    wanted.owner ?? "github",
    wanted.owner === undefined ? "Organization" : "User",
  );
  const id = world.newId();
  const app: App = {
    id,
    slug: wanted.slug,
    name: wanted.name ?? wanted.slug,
    owner: owner.login,
    clientId: `Iv23li${randomBytes(7).toString("hex")}`,
    publicKey: createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString(),
    webhookUrl: wanted.webhookUrl ?? null,
    webhookSecret: wanted.webhookSecret ?? randomBytes(20).toString("hex"),
    events: [...wanted.events],
    permissions: { ...wanted.permissions },
    installations: [],
    botUser: addUser(world, `${wanted.slug}[bot]`, "Bot").id,
  };
  world.state.apps.push(app);
  return { id, clientId: app.clientId, privateKey, webhookSecret: app.webhookSecret };
}

/** A private key in the form GitHub hands out. */
async function newKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return privateKey;
}

/** Installs an app on repositories of one account, or adds them to its installation there. Returns the installation. */
export function install(world: World, appId: number, names: readonly string[]): number {
  const app = world.state.apps.find(({ id }) => id === appId);
  const repositories = names.flatMap((name) => world.repository(name) ?? []);
  const account = repositories[0]?.owner;
  if (app === undefined || account === undefined || repositories.length !== names.length)
    throw new Error("an app is installed on repositories that are there");
  const described = repositories.map((each) => ({
    id: each.id,
    node_id: nodeId("Repository", each.id),
    name: each.name,
    full_name: fullName(each),
    private: each.private,
  }));
  const known = app.installations.find((each) => each.account === account);
  const id = known?.id ?? world.newId();
  if (known === undefined)
    app.installations.push({
      ...{ id, account, suspended: false, createdAt: world.timestamp() },
      repositories: repositories.map(fullName),
    });
  else known.repositories = [...new Set([...known.repositories, ...repositories.map(fullName)])];
  world.tell({
    event: known === undefined ? "installation" : "installation_repositories",
    action: known === undefined ? "created" : "added",
    repository: null,
    sender: account,
    onlyApp: app.id,
    onlyInstallation: id,
    payload:
      known === undefined
        ? { repositories: described, requester: null }
        : {
            repositories_added: described,
            repositories_removed: [],
            repository_selection: "selected",
            requester: null,
          },
  });
  return id;
}

/** What an app acts with on the repositories it is installed on; this one does not expire. */
export function installationToken(world: World, appId: number): string {
  const app = world.state.apps.find(({ id }) => id === appId);
  const installation = app?.installations[0];
  if (app === undefined || installation === undefined)
    throw new Error(`the app ${appId} is installed nowhere`);
  return issueToken(world, "ghs_", {
    ...{ kind: "installation", login: null, app: appId, installation: installation.id, expiresAt: null },
    ...{ permissions: app.permissions, repositories: null },
  });
}

export function tokenFor(world: World, login: string): string {
  return issueToken(world, "gho_", personal(world, login));
}

/** The one token of a person's that the page shows; it stays the same. */
export function shownTokenFor(world: World, login: string): string {
  return findShownToken(world, login) ?? issueShownToken(world, "gho_", personal(world, login));
}

/** Null for a person who was never given one. */
export function findShownToken({ state }: World, login: string): string | null {
  return state.tokens.find((each) => each.login === login && each.shown !== undefined)?.shown ?? null;
}

function personal(world: World, login: string) {
  return {
    ...{ kind: "user" as const, login: addUser(world, login, "User").login, app: null, installation: null },
    ...{ permissions: {}, repositories: null, expiresAt: null },
  };
}
