import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { GithubApp } from "./app-client.js";
import { repositoryAt } from "./repository-at.js";
import { gitTokenEnv } from "./runners/git-token-env.js";

/** So much of a token's hour is left over for a push that takes its time. */
const SPARE_MS = 5 * 60_000;

const MOST_TOKENS = 1_000;

const Token = z.object({ token: z.string().min(1), expires_at: z.string() });

interface Minted {
  readonly env: Readonly<Record<string, string>>;
  readonly until: number;
}

/** Hands git what it needs to fetch from and push to one repository, and to no other. */
export class GitCredentials {
  readonly #app: GithubApp;
  readonly #now: () => number;
  readonly #minted = new LRUCache<string, Promise<Minted>>({ max: MOST_TOKENS });

  constructor(app: GithubApp, now: () => number = Date.now) {
    this.#app = app;
    this.#now = now;
  }

  /** Environment for git. It never stands in an argument, where every user of the machine could read it. */
  async env(installation: number, repository: string): Promise<Readonly<Record<string, string>>> {
    const key = `${installation} ${repository.toLowerCase()}`;
    const held = this.#minted.get(key);
    // Nothing is awaited before the first is held, so those who ask at the same time share it.
    const known = held && (await held);
    if (known && known.until > this.#now()) return known.env;
    const fresh = this.#mint(installation, repository);
    this.#minted.set(key, fresh);
    try {
      return (await fresh).env;
    } catch (error) {
      this.#minted.delete(key);
      throw error;
    }
  }

  async #mint(installation: number, repository: string): Promise<Minted> {
    const octokit = await this.#app.asApp();
    const { data } = await octokit.rest.apps.createInstallationAccessToken({
      installation_id: installation,
      repositories: [repositoryAt(repository).repo],
      permissions: { contents: "write", metadata: "read" },
    });
    const { token, expires_at } = Token.parse(data);
    return { until: Date.parse(expires_at) - SPARE_MS, env: gitTokenEnv(this.#app.serverUrl, token) };
  }
}
