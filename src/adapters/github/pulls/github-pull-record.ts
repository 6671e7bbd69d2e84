import { z } from "zod";
import type { BranchActivity } from "../../../core/land/pull/bind-head.js";
import type { PullVerdict } from "../../../core/land/pull/last-verdicts.js";
import type { PeopledCommit, PullRecord } from "../../../ports/pull-record.js";
import type { PullFacts } from "../../../ports/pulls.js";
import type { Octokit } from "../app-client.js";
import { THREAD_STATES } from "../documents/thread-states.js";
import { readPages } from "../read-pages.js";
import { readRepositoryFile } from "../read-repository-file.js";
import { type RepositoryAt, repositoryAt } from "../repository-at.js";
import { unlessGone } from "../request-error.js";
import { readActivity } from "./read-activity.js";
import { readVerdicts } from "./read-verdicts.js";

const User = z.object({ id: z.number(), login: z.string() });
const Commit = z.object({
  sha: z.string(),
  author: User.nullish(),
  committer: User.nullish(),
  commit: z.object({ message: z.string() }),
});
const Compared = z.object({ status: z.string() });
const Threads = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        nodes: z.array(z.object({ isResolved: z.boolean() })),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      }),
    }),
  }),
});

/** GitHub lists no more of a pull request's commits. */
const MOST_COMMITS = 250;
const MOST_THREAD_PAGES = 100;
const COMMIT = /^[0-9a-f]{40,64}$/;

/** What GitHub has on record of one repository's pull requests. */
export class GithubPullRecord implements PullRecord {
  readonly #octokit: () => Promise<Octokit>;
  readonly #repository: string;
  readonly #at: RepositoryAt;

  /** What a commit has, it has for ever; every step of a landing asks for it anew. */
  readonly #files = new Map<string, string | null>();

  /** `repository` is `owner/name`. */
  constructor(octokit: () => Promise<Octokit>, repository: string) {
    this.#octokit = octokit;
    this.#repository = repository;
    this.#at = repositoryAt(repository);
  }

  async commits(pull: number): Promise<readonly PeopledCommit[] | null> {
    const octokit = await this.#octokit();
    const pages = readPages(Commit, (page) =>
      octokit.rest.pulls.listCommits({ ...this.#at, pull_number: pull, ...page }),
    );
    const found: PeopledCommit[] = [];
    for await (const { sha, author, committer, commit } of pages)
      found.push({ sha, author: author ?? null, committer: committer ?? null, message: commit.message });
    return found.length < MOST_COMMITS ? found : null;
  }

  async activity({ head }: PullFacts): Promise<readonly BranchActivity[] | null> {
    if (head.repository === null) return null;
    const found = await readActivity(await this.#octokit(), head.repository, head.branch);
    // Our own repository's record is always there; without it nobody could tell who pushed.
    if (found === null && !head.fork)
      throw new Error(`${head.repository} has no activity of ${head.branch} that could be read`);
    return found;
  }

  async contains(base: string, commit: string): Promise<boolean> {
    const octokit = await this.#octokit();
    const answer = await unlessGone(
      octokit.rest.repos.compareCommitsWithBasehead({
        ...{ ...this.#at, basehead: `${base}...${commit}`, per_page: 1 },
      }),
    );
    const status = answer && Compared.parse(answer.data).status;
    return status === "behind" || status === "identical";
  }

  async verdicts(pull: number): Promise<readonly PullVerdict[] | null> {
    return readVerdicts(await this.#octokit(), this.#at, pull);
  }

  async openThreads(pull: number): Promise<number> {
    const octokit = await this.#octokit();
    let open = 0;
    let after: string | null = null;
    for (let page = 0; page < MOST_THREAD_PAGES; page += 1) {
      const data: unknown = await octokit.graphql(THREAD_STATES, { ...this.#at, number: pull, after });
      const { nodes, pageInfo } = Threads.parse(data).repository.pullRequest.reviewThreads;
      open += nodes.filter(({ isResolved }) => !isResolved).length;
      if (!pageInfo.hasNextPage) return open;
      after = pageInfo.endCursor;
    }
    throw new Error(`pull request ${pull} has more conversations than GitHub hands out`);
  }

  async fileAt(path: string, ref: string): Promise<string | null> {
    const read = async () => readRepositoryFile(await this.#octokit(), this.#repository, path, ref);
    if (!COMMIT.test(ref)) return read();
    const key = `${ref} ${path}`;
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const text = await read();
    this.#files.set(key, text);
    return text;
  }
}
