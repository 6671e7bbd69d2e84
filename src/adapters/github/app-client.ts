import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { type Logger, Probot, ProbotOctokit } from "probot";
import { boundedFetch } from "./bounded-fetch.js";
import { type GuardParts, RequestGuard } from "./guard-requests.js";
import { pacesFor } from "./write-pace.js";

export interface GithubAppOptions extends Partial<GuardParts> {
  readonly appId: number | string;
  /** PEM. */
  readonly privateKey: string;
  /** Of the webhooks. */
  readonly secret: string;
  /** `https://api.github.com` */
  readonly apiUrl: string;
  /** `https://github.com`: where git and people go. */
  readonly serverUrl: string;
  readonly log: Logger;
}

/** What requests are made with, whoever they are made for. */
export type Octokit = Pick<ProbotOctokit, "rest" | "graphql" | "request">;

/** What koryph on GitHub asks and writes with, wherever it runs. */
export interface GithubApp {
  /** Without a slash at the end. */
  readonly serverUrl: string;
  /** Speaks for the App: installations, deliveries, tokens. */
  asApp(): Promise<Octokit>;
  /** Speaks for the App on the repositories of one installation. */
  asInstallation(id: number): Promise<Octokit>;
}

const BOUNDS = { mostAtOnce: 50, timeoutMs: 10_000, mostBytes: 32 * 1024 * 1024 };
const MOST_CLIENTS = 500;

/** The App of a server, with what brings its webhooks to their reactions. */
export interface ProbotApp extends GithubApp {
  readonly probot: Probot;
}

/** The one place where clients for an App's server are made. */
export function githubApp(options: GithubAppOptions): ProbotApp {
  const { appId, privateKey, secret, log } = options;
  // Probot would take "development" instead, and so believe anybody.
  if (secret === "") throw new Error("a webhook secret is needed");
  const apiUrl = withoutSlash(options.apiUrl);
  const guard = new RequestGuard({
    paces: options.paces ?? pacesFor(apiUrl),
    now: options.now ?? Date.now,
    sleep: options.sleep ?? ((ms) => sleep(ms)),
    onRequest: options.onRequest ?? (() => {}),
  });
  const probot = new Probot({
    appId,
    privateKey,
    secret,
    // It would log every delivery, and what a handler throws with the delivery on it; whoever handed it over tells that.
    log: log.child({}, { level: "silent" }),
    baseUrl: apiUrl,
    request: { fetch: boundedFetch(BOUNDS), log: { warn: (text: string) => log.warn(text) } },
    Octokit: guardedOctokit(guard, apiUrl, log),
  });
  const clients = new LRUCache<number, Promise<Octokit>>({ max: MOST_CLIENTS });
  return {
    probot,
    serverUrl: withoutSlash(options.serverUrl),
    asApp: () => probot.auth(),
    asInstallation: (id) => {
      const client = clients.get(id) ?? probot.auth(id);
      clients.set(id, client);
      return client;
    },
  };
}

/** Options as Probot and Octokit hand them on: whatever anybody put in. */
type ClientOptions = Record<string, unknown> & {
  auth?: { installationId?: number; request?: Octokit["request"] };
};

function guardedOctokit(guard: RequestGuard, apiUrl: string, log: Logger): typeof ProbotOctokit {
  const Guarded = ProbotOctokit.plugin((octokit, options) => {
    guard.watch(octokit as ProbotOctokit, (options as ClientOptions).auth?.installationId ?? null);
    return {};
  });
  // Only the function form reaches the plugins. The inbox tries again, so they must not.
  const settings = (given: ClientOptions) => ({
    ...given,
    userAgent: "koryph",
    log: log.child({ name: "github" }),
    throttle: { enabled: false },
    retry: { enabled: false },
    // What Probot puts there asks api.github.com for a fresh token, whatever the base URL.
    auth: { ...given.auth, request: given.auth?.request?.defaults({ baseUrl: apiUrl }) },
  });
  return Guarded.defaults(settings as never) as typeof ProbotOctokit;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
