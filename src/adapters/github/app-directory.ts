import { z } from "zod";
import type { GithubApp } from "./app-client.js";
import { readPages } from "./read-pages.js";
import { unlessGone } from "./request-error.js";

export interface AppIdentity {
  readonly id: number;
  readonly slug: string;
  /** Null on servers that do not give one out. */
  readonly clientId: string | null;
  /** What its comments are signed with. Nobody else can have a name with brackets. */
  readonly botLogin: string;
}

const App = z.object({ id: z.number(), slug: z.string(), client_id: z.string().optional() });
const Installation = z.object({ id: z.number(), suspended_at: z.string().nullish() });
const Repository = z.object({ full_name: z.string(), archived: z.boolean().default(false) });

/** Who the App is and where it is installed. */
export class AppDirectory {
  readonly #app: GithubApp;

  constructor(app: GithubApp) {
    this.#app = app;
  }

  async identity(): Promise<AppIdentity> {
    const { data } = await (await this.#app.asApp()).rest.apps.getAuthenticated();
    const { id, slug, client_id: clientId = null } = App.parse(data);
    return { id, slug, clientId, botLogin: `${slug}[bot]` };
  }

  /** Null where the App is not installed, or somebody has suspended it. */
  async installationOf(owner: string, repo: string): Promise<number | null> {
    const octokit = await this.#app.asApp();
    const answer = await unlessGone(octokit.rest.apps.getRepoInstallation({ owner, repo }));
    if (answer === null) return null;
    const { id, suspended_at } = Installation.parse(answer.data);
    return suspended_at == null ? id : null;
  }

  /** Those that nobody has suspended: with the others, nothing can be done. */
  async installations(): Promise<readonly number[]> {
    const octokit = await this.#app.asApp();
    const found: number[] = [];
    for await (const { id, suspended_at } of readPages(Installation, (page) =>
      octokit.rest.apps.listInstallations(page),
    ))
      if (suspended_at == null) found.push(id);
    return found;
  }

  /** As `owner/name`. Archived ones are left out: nobody can write there. */
  async repositoriesOf(installation: number): Promise<readonly string[]> {
    const octokit = await this.#app.asInstallation(installation);
    const pages = readPages(Repository, async (page) => {
      const { data } = await octokit.rest.apps.listReposAccessibleToInstallation(page);
      return { data: data.repositories };
    });
    const found: string[] = [];
    for await (const { full_name, archived } of pages) if (!archived) found.push(full_name);
    return found;
  }
}
