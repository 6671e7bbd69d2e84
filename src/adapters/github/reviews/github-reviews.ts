import { z } from "zod";
import type { Person } from "../../../core/land/pull/count-approvals.js";
import type {
  EarlierReviews,
  ReviewDraft,
  Reviews,
  Submitted,
  SubmittedReview,
} from "../../../ports/reviews.js";
import type { Octokit } from "../app-client.js";
import { RESOLVE_THREAD, VIEWER } from "../documents/review-threads.js";
import { readPages } from "../read-pages.js";
import { type RepositoryAt, repositoryAt } from "../repository-at.js";
import { answerOf, statusOf } from "../request-error.js";
import { ReviewReader } from "./read-reviews.js";

const Viewer = z.object({ viewer: z.object({ login: z.string(), databaseId: z.number() }) });
const Made = z.object({
  id: z.number(),
  html_url: z.string(),
  body: z.string().nullish(),
  submitted_at: z.string().default(""),
});
const Review = Made.extend({
  state: z.string(),
  commit_id: z.string().nullish(),
  user: z.object({ login: z.string() }).nullable(),
});
const Account = z.object({ login: z.string().optional() }).nullish();
const Commit = z.object({ author: Account, committer: Account });

const EVENTS = { comment: "COMMENT", approve: "APPROVE" } as const;
/** GitHub lists no more commits of a pull request. */
const LISTED_COMMITS = 250;
const MISPLACED = /could not be resolved|part of the diff|diff_hunk|review_thread/i;

/** Reviews on GitHub, by whoever the client's token belongs to. */
export class GithubReviews implements Reviews {
  readonly #octokit: () => Promise<Octokit>;
  readonly #at: RepositoryAt;

  /** `repository` is `owner/name`. */
  constructor(octokit: () => Promise<Octokit>, repository: string) {
    this.#octokit = octokit;
    this.#at = repositoryAt(repository);
  }

  async viewer(): Promise<Person> {
    const octokit = await this.#octokit();
    const { login, databaseId: id } = Viewer.parse(await octokit.graphql(VIEWER)).viewer;
    return { id, login };
  }

  async earlier(pull: number): Promise<EarlierReviews> {
    const reader = new ReviewReader(await this.#octokit(), this.#at, pull);
    const [threads, bodies] = [await reader.threads(), await reader.bodies()];
    return { threads, bodies: bodies.map(({ body }) => body) };
  }

  async find(pull: number, firstLine: string): Promise<string | null> {
    const reader = new ReviewReader(await this.#octokit(), this.#at, pull);
    const found = (await reader.bodies()).find(({ body }) => body.split("\n")[0] === firstLine);
    return found?.url ?? null;
  }

  async submit(pull: number, draft: ReviewDraft): Promise<Submitted> {
    const octokit = await this.#octokit();
    try {
      const { data } = await octokit.rest.pulls.createReview({
        ...this.#at,
        pull_number: pull,
        commit_id: draft.head,
        event: EVENTS[draft.event],
        ...(draft.body === "" ? {} : { body: draft.body }),
        comments: draft.comments.map((comment) => ({ ...comment, side: "RIGHT" })),
      });
      return { kind: "posted", ...posted(Made.parse(data)) };
    } catch (error) {
      const status = statusOf(error);
      if (status !== null && status < 500) return refusal(error, draft);
      // GitHub may have taken it although its answer did not get here.
      const there = await this.#find(octokit, pull, draft);
      if (there === null) throw error;
      return { kind: "posted", ...there };
    }
  }

  async edit(comment: number, body: string): Promise<boolean> {
    const octokit = await this.#octokit();
    return unlessForbidden(
      octokit.rest.pulls.updateReviewComment({ ...this.#at, comment_id: comment, body }),
    );
  }

  async resolve(thread: string): Promise<boolean> {
    const octokit = await this.#octokit();
    return unlessForbidden(octokit.graphql(RESOLVE_THREAD, { thread }));
  }

  async committers(pull: number): Promise<readonly string[] | null> {
    const octokit = await this.#octokit();
    const logins = new Set<string>();
    let commits = 0;
    const pages = readPages(Commit, (page) =>
      octokit.rest.pulls.listCommits({ ...this.#at, pull_number: pull, ...page }),
    );
    for await (const { author, committer } of pages) {
      commits += 1;
      for (const account of [author, committer]) if (account?.login) logins.add(account.login);
    }
    return commits < LISTED_COMMITS ? [...logins] : null;
  }

  async say(pull: number, body: string): Promise<void> {
    const octokit = await this.#octokit();
    await octokit.rest.issues.createComment({ ...this.#at, issue_number: pull, body });
  }

  /** Null where it is not there. */
  async #find(
    octokit: Octokit,
    pull: number,
    { event, head, body }: ReviewDraft,
  ): Promise<SubmittedReview | null> {
    const [mark = ""] = body.split("\n");
    const viewer = event === "approve" ? (await this.viewer()).login : null;
    const pages = readPages(Review, (page) =>
      octokit.rest.pulls.listReviews({ ...this.#at, pull_number: pull, ...page }),
    );
    for await (const review of pages) {
      const same =
        viewer === null
          ? review.body?.split("\n")[0] === mark
          : review.state === "APPROVED" && review.commit_id === head && review.user?.login === viewer;
      if (same) return posted(review);
    }
    return null;
  }
}

function posted({
  id,
  html_url: url,
  body,
  submitted_at: submittedAt,
}: z.infer<typeof Made>): SubmittedReview {
  return { id, url, body: body ?? "", submittedAt };
}

function refusal(error: unknown, { comments }: ReviewDraft): Submitted {
  const { status, data } = answerOf(error) ?? {};
  const said = JSON.stringify(data ?? "");
  if (status === 422 && comments.length > 0 && MISPLACED.test(said)) return { kind: "misplaced" };
  const message = (data as { message?: unknown } | undefined)?.message;
  return { kind: "refused", why: `${status}: ${typeof message === "string" ? message : said}` };
}

/** False where GitHub says that it is not there, or that we may not. */
async function unlessForbidden(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    const errors = (error as { errors?: unknown } | null)?.errors;
    const types = Array.isArray(errors) ? errors.map((one: { type?: unknown }) => one?.type) : [];
    if (types.length > 0 && types.every((type) => type === "NOT_FOUND" || type === "FORBIDDEN")) return false;
    if ([403, 404, 410].includes(statusOf(error) ?? 0)) return false;
    throw error;
  }
}
