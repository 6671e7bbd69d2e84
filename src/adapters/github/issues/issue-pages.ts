import type { Octokit } from "../app-client.js";
import type { RepositoryAt } from "../repository-at.js";
import { statusOf } from "../request-error.js";
import { adviseOnIssues } from "./issue-fault.js";

export interface IssuesAsked {
  readonly state: "open" | "closed" | "all";
  readonly sort: "created" | "updated";
  readonly labels?: string;
  readonly since?: string;
}

interface Page {
  readonly etag: string;
  readonly data: readonly unknown[];
  readonly last: number;
}

const PER_PAGE = 100;
/** More than anybody has; a list that goes on for longer goes round in circles. */
const MOST_PAGES = 500;
const MOST_KEPT = 1_000;

/** Pages of the list of issues. What has not changed since is not sent again, and costs nothing of the hour's requests. */
export class IssuePages {
  readonly #octokit: Octokit;
  readonly #at: RepositoryAt;
  readonly #kept = new Map<string, Page>();

  constructor(octokit: Octokit, at: RepositoryAt) {
    this.#octokit = octokit;
    this.#at = at;
  }

  /** All of them, in rising order. */
  async read(asked: IssuesAsked): Promise<readonly unknown[]> {
    const first = await this.#page(asked, 1);
    const last = Math.min(first.last, MOST_PAGES);
    // GitHub says how many there are, so they need not wait for one another.
    const others = Array.from({ length: last - 1 }, (_, index) => this.#page(asked, index + 2));
    return [first, ...(await Promise.all(others))].flatMap(({ data }) => data);
  }

  async #page(asked: IssuesAsked, page: number): Promise<Page> {
    const key = `${page} ${JSON.stringify(asked)}`;
    const kept = this.#kept.get(key);
    try {
      const { data, headers } = await this.#octokit.rest.issues.listForRepo({
        ...this.#at,
        ...asked,
        ...{ direction: "asc", per_page: PER_PAGE, page },
        headers: kept === undefined ? {} : { "if-none-match": kept.etag },
      });
      const [, last] = /[?&]page=(\d+)[^>]*>; rel="last"/.exec(headers.link ?? "") ?? [];
      const found: Page = { etag: headers.etag ?? "", data, last: Number(last ?? page) };
      this.#keep(key, found);
      return found;
    } catch (error) {
      if (kept !== undefined && statusOf(error) === 304) return kept;
      return adviseOnIssues(Promise.reject(error), this.#at, "read");
    }
  }

  #keep(key: string, page: Page): void {
    this.#kept.delete(key);
    if (page.etag !== "") this.#kept.set(key, page);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) return;
      this.#kept.delete(oldest);
    }
  }
}
