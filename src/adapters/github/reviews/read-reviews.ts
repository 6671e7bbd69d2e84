import { z } from "zod";
import { includesRole, readRole } from "../../../core/commands/roles.js";
import type { ReviewThread } from "../../../core/review/pull/known-thread.js";
import type { Octokit } from "../app-client.js";
import { REVIEW_BODIES, REVIEW_THREADS } from "../documents/review-threads.js";
import type { RepositoryAt } from "../repository-at.js";
import { statusOf } from "../request-error.js";

const Author = z.object({ login: z.string() }).nullable();
const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

const Comment = z.object({
  fullDatabaseId: z.union([z.string(), z.number()]).nullable().transform(Number),
  body: z.string(),
  isMinimized: z.boolean(),
  viewerDidAuthor: z.boolean(),
  author: Author,
});
const Thread = z.object({
  id: z.string(),
  path: z.string(),
  isResolved: z.boolean(),
  resolvedBy: Author,
  isOutdated: z.boolean(),
  comments: z.object({ totalCount: z.number(), nodes: z.array(Comment) }),
});
const Body = z.object({ body: z.string(), url: z.string(), viewerDidAuthor: z.boolean(), author: Author });

type Written = Pick<z.infer<typeof Body>, "viewerDidAuthor" | "author">;

const MOST_PAGES = 100;

/** Reads conversations and reviews of a pull request, each with whether its author is one whom we believe. */
export class ReviewReader {
  readonly #octokit: Octokit;
  readonly #at: RepositoryAt;
  readonly #pull: number;
  readonly #roles = new Map<string, Promise<boolean>>();

  constructor(octokit: Octokit, at: RepositoryAt, pull: number) {
    this.#octokit = octokit;
    this.#at = at;
    this.#pull = pull;
  }

  async threads(): Promise<ReviewThread[]> {
    const found: ReviewThread[] = [];
    for await (const { node, opener } of this.#nodes(REVIEW_THREADS, "reviewThreads", Thread)) {
      const [first] = node.comments.nodes;
      if (first === undefined || !(await this.#isTrusted(first, opener))) continue;
      found.push({
        ...{ thread: node.id, path: node.path, resolved: node.isResolved, outdated: node.isOutdated },
        byAuthor: opener !== null && node.resolvedBy?.login === opener,
        comment: { id: first.fullDatabaseId, body: first.body, minimized: first.isMinimized },
        answered: node.comments.totalCount > 1,
      });
    }
    return found;
  }

  async bodies(): Promise<{ readonly body: string; readonly url: string }[]> {
    const found: { body: string; url: string }[] = [];
    for await (const { node, opener } of this.#nodes(REVIEW_BODIES, "reviews", Body))
      if (await this.#isTrusted(node, opener)) found.push({ body: node.body, url: node.url });
    return found;
  }

  async *#nodes<T extends z.ZodType>(query: string, field: "reviewThreads" | "reviews", node: T) {
    const Page = z.object({
      repository: z.object({
        pullRequest: z
          .object({ author: Author, [field]: z.object({ pageInfo: PageInfo, nodes: z.array(node) }) })
          .nullable(),
      }),
    });
    const { owner, repo: name } = this.#at;
    let after: string | null = null;
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const answer: unknown = await this.#octokit.graphql(query, { owner, name, pull: this.#pull, after });
      const pull = Page.parse(answer).repository.pullRequest;
      if (pull === null) return;
      const { pageInfo, nodes } = pull[field] as {
        readonly pageInfo: z.infer<typeof PageInfo>;
        readonly nodes: readonly z.infer<T>[];
      };
      const opener = (pull.author as z.infer<typeof Author>)?.login ?? null;
      for (const each of nodes) yield { node: each, opener };
      after = pageInfo.endCursor;
      if (!pageInfo.hasNextPage || after === null) return;
    }
    throw new Error(`pull request ${this.#pull} has more than ${MOST_PAGES} pages of ${field}`);
  }

  /**
   * Anybody can write a comment that looks like ours, to have a finding taken for told. So only our own count, and those
   * of colleagues who may write here: they analyse with tokens of their own. The pull request's author is none of them.
   */
  async #isTrusted({ viewerDidAuthor, author }: Written, opener: string | null): Promise<boolean> {
    if (viewerDidAuthor) return true;
    if (author === null || author.login === opener) return false;
    const { login } = author;
    const asked = this.#roles.get(login) ?? this.#mayWrite(login);
    this.#roles.set(login, asked);
    return asked;
  }

  async #mayWrite(login: string): Promise<boolean> {
    try {
      const { data } = await this.#octokit.rest.repos.getCollaboratorPermissionLevel({
        ...this.#at,
        username: login,
      });
      return includesRole(readRole(data.role_name, data.permission), "write");
    } catch (error) {
      // Also where the token may not ask: then nobody but ourselves is believed.
      if (statusOf(error) === 403 || statusOf(error) === 404) return false;
      throw error;
    }
  }
}
