import { z } from "zod";
import type { KeptCheck, KeptChecks } from "../../../ports/check-runs.js";
import type { Octokit } from "../app-client.js";
import { type RepositoryAt, repositoryAt } from "../repository-at.js";
import { statusOf, unlessGone } from "../request-error.js";

const Found = z.object({ id: z.number(), external_id: z.string().nullish() });

/** Where the installation has not taken the permission yet, or GitHub knows no such commit. */
const NOT_WRITTEN: ReadonlySet<number | null> = new Set([403, 404, 422]);

/** Check runs on GitHub that are changed as things change, as the App whose token the client has. */
export class GithubKeptChecks implements KeptChecks {
  readonly #octokit: () => Promise<Octokit>;
  readonly #at: RepositoryAt;
  readonly #app: number;

  /** `repository` is `owner/name`; `app` is the number of the App. */
  constructor(octokit: () => Promise<Octokit>, repository: string, app: number) {
    this.#octokit = octokit;
    this.#at = repositoryAt(repository);
    this.#app = app;
  }

  async keep(check: KeptCheck, known: number | null): Promise<number | null> {
    const octokit = await this.#octokit();
    try {
      if (known !== null && (await this.#update(octokit, known, check))) return known;
      const found = await this.#find(octokit, check);
      if (found !== null && (await this.#update(octokit, found, check))) return found;
      return await this.#create(octokit, check);
    } catch (error) {
      if (NOT_WRITTEN.has(statusOf(error))) return null;
      throw error;
    }
  }

  /** Only our own can be changed, and there is one page of them at most: they are told apart by pull request. */
  async #find(octokit: Octokit, { name, head, externalId }: KeptCheck): Promise<number | null> {
    const asked = { ...this.#at, ref: head, check_name: name, app_id: this.#app, filter: "all" as const };
    const { data } = await octokit.rest.checks.listForRef({ ...asked, per_page: 100 });
    const runs = z.array(Found).parse(data.check_runs);
    return runs.find(({ external_id }) => external_id === externalId)?.id ?? null;
  }

  async #create(octokit: Octokit, check: KeptCheck): Promise<number> {
    const { name, head, externalId } = check;
    const { data } = await octokit.rest.checks.create({
      ...{ ...this.#at, name, head_sha: head, external_id: externalId },
      ...shown(check),
    });
    return Found.parse(data).id;
  }

  async #update(octokit: Octokit, id: number, check: KeptCheck): Promise<boolean> {
    const asked = { ...this.#at, check_run_id: id, ...shown(check) };
    return (await unlessGone(octokit.rest.checks.update(asked))) !== null;
  }
}

function shown({ conclusion, detailsUrl, title, summary, text }: KeptCheck) {
  return {
    ...{ status: "completed" as const, conclusion, details_url: detailsUrl },
    output: { title, summary, text },
  };
}
