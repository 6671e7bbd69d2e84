import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installHook } from "./git/git-http-hook.js";
import type { Faults } from "./http/faults.js";
import { listen, serve } from "./http/server.js";
import type { SeenRequest } from "./http/server-rest.js";
import type { PullIssue } from "./render/pull.js";
import { type SigningBuilders, signingBuilders } from "./sign/build-signing.js";
import { type CheckBuilders, checkBuilders } from "./world/checks/build-checks.js";
import { StandInCi } from "./world/checks/stand-in-ci.js";
import { makeWorld, type ServedWorld } from "./world/make-world.js";
import { type PullBuilders, pullBuilders } from "./world/pulls/build-pulls.js";
import { type NewPull, openPull } from "./world/pulls/world-open-pull.js";
import { type RuleBuilders, ruleBuilders } from "./world/rules/build-rules.js";
import type { Repository, RoleName, SandboxState, User } from "./world/state.js";
import type { Switches } from "./world/switches.js";
import type { World } from "./world/world.js";
import {
  addApp,
  install,
  installationToken,
  type NewApp,
  type NewAppKeys,
  shownTokenFor,
  tokenFor,
} from "./world/world-apps.js";
import {
  type Authored,
  addFork,
  addRepository,
  addUser,
  commitFiles,
  type NewRepository,
} from "./world/world-build.js";
import { keepState, readState } from "./world/world-state-file.js";

/** A loopback GitHub. Repositories are named `owner/name`. */
export interface Sandbox extends RuleBuilders, SigningBuilders, CheckBuilders, PullBuilders {
  readonly url: string;
  readonly folder: string;
  readonly state: SandboxState;
  readonly world: World;
  /** What GitHub would not have taken or answered so; a test expects it to be empty. */
  readonly problems: string[];
  readonly faults: Faults;
  readonly switches: Switches;
  /** Every request of the API that was answered, oldest first. */
  readonly requests: SeenRequest[];
  addUser(login: string, type?: User["type"]): User;
  addRepository(repository: NewRepository): Promise<Repository>;
  addFork(of: string, owner: string): Promise<Repository>;
  addApp(app: NewApp): Promise<NewAppKeys>;
  /** Where an app is sent its webhooks from now on. */
  setWebhook(app: { readonly id: number }, url: string | null): void;
  /** Returns the installation's id. */
  install(app: { readonly id: number }, repositories: readonly string[]): number;
  /** What an installed app acts with; it does not expire. */
  installationToken(app: { readonly id: number }): string;
  setRole(repository: string, login: string, role: RoleName, customName?: string): void;
  /** A token of the user's own, which may do whatever the user may. */
  tokenFor(login: string): string;
  /** The one that the page shows to whoever acts as the user; the same each time. */
  shownTokenFor(login: string): string;
  /** A commit on top of the branch, or of `parent`, as if its author had pushed it; null deletes a file. */
  commit(
    repository: string,
    branch: string,
    files: Readonly<Record<string, string | null>>,
    by?: Authored,
  ): Promise<string>;
  openPull(repository: string, pull: NewPull): Promise<PullIssue>;
  settled(): Promise<void>;
  /** What is there now is there again after a crash; nothing without a folder. */
  save(): Promise<void>;
  close(): Promise<void>;
}

/** With a folder, what was there before is there again; without one, all goes when it is closed. */
export async function startSandbox(
  options: {
    readonly port?: number;
    readonly folder?: string;
    readonly now?: () => number;
    readonly state?: SandboxState;
  } = {},
): Promise<Sandbox> {
  const kept = options.folder === undefined ? null : await readState(options.folder);
  const { server, url } = await listen(options.port ?? 0);
  try {
    // They name the address, and the port may be another than last time.
    for (const repository of kept?.repositories ?? []) await installHook(url, repository);
  } catch (error) {
    server.close();
    throw error;
  }
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "koryph-sandbox-")));
  const state = options.state ?? kept;
  const world = makeWorld({ url, ...(state && { state }), ...(options.now && { now: options.now }) });
  const requests: SeenRequest[] = [];
  serve(world, server, (request) => requests.push(request));
  const ci = new StandInCi(world, folder);
  const keeping = options.folder === undefined ? null : keepState(world, folder);
  return {
    ...{ url, folder, world, requests, state: world.state, problems: world.problems, faults: world.faults },
    switches: world.switches,
    ...builders(world, folder, ci),
    settled: world.settled,
    save: async () => keeping?.save(),
    close: async () => {
      world.stopPost();
      await ci.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await keeping?.stop();
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function builders(world: ServedWorld, folder: string, ci: StandInCi) {
  const named = (name: string): Repository => {
    const found = world.repository(name);
    if (found === null) throw new Error(`the sandbox has no repository ${name}`);
    return found;
  };
  return {
    addUser: (login: string, type: User["type"] = "User") => addUser(world, login, type),
    addRepository: (repository: NewRepository) => addRepository(world, folder, repository),
    addFork: (of: string, owner: string) => addFork(world, folder, { of: named(of), owner }),
    addApp: (app: NewApp) => addApp(world, app),
    install: (app: { readonly id: number }, repositories: readonly string[]) =>
      install(world, app.id, repositories),
    setRole: (repository: string, login: string, role: RoleName, customName?: string) => {
      addUser(world, login, "User");
      named(repository).collaborators[login] = { role, ...(customName === undefined ? {} : { customName }) };
    },
    setWebhook: ({ id }: { readonly id: number }, url: string | null) => {
      for (const app of world.state.apps) if (app.id === id) app.webhookUrl = url;
    },
    installationToken: ({ id }: { readonly id: number }) => installationToken(world, id),
    tokenFor: (login: string) => tokenFor(world, login),
    shownTokenFor: (login: string) => shownTokenFor(world, login),
    commit: (
      repository: string,
      branch: string,
      files: Readonly<Record<string, string | null>>,
      by: Authored = {},
    ) => commitFiles(world, named(repository), { branch, files, ...by }),
    ...ruleBuilders(world, named),
    ...signingBuilders(world),
    ...checkBuilders(world, named, ci),
    ...pullBuilders(world),
    openPull: (repository: string, pull: NewPull) => openPull(world, named(repository), pull),
  };
}
