import { LRUCache } from "lru-cache";
import type { ProbotOctokit } from "probot";
import { rateLimited, tooManyWrites } from "../../core/replies/app/github.js";
import { TryLater } from "../../ports/try-later.js";
import { type AnswerFacts, readRateLimit, readRemaining, readUsedUp } from "./rate-limit.js";
import { answerOf, isTokenRefusal, statusOf } from "./request-error.js";
import { type Paces, WritePace } from "./write-pace.js";

export interface RequestNews {
  readonly method: string;
  /** As in GitHub's description: `/repos/{owner}/{repo}`. */
  readonly route: string;
  /** Null when there was no answer. */
  readonly status: number | null;
  /** Null for requests of the App itself. */
  readonly installation: number | null;
  /** What is left of the hour's requests; null when GitHub does not say. */
  readonly remaining: number | null;
}

export interface GuardParts {
  readonly paces: Paces;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onRequest: (news: RequestNews) => void;
}

type Answer = Awaited<ReturnType<ProbotOctokit["request"]>>;
type Options = Required<ProbotOctokit["request"]["endpoint"]["DEFAULTS"]>;
type Send = (options: Options) => Answer | Promise<Answer>;

/** Who would have to wait longer for a place steps aside, so that others get on. */
const LONGEST_WAIT_MS = 30_000;
const MOST_INSTALLATIONS = 1_000;
const TOKEN_ROUTE = "/app/installations/{installation_id}/access_tokens";

/** Answers that are asked for again and again: a 304 costs nothing of the hour's requests. */
const ETAGS = { max: 2_000, maxSize: 16 * 1024 * 1024 };

interface Kept {
  readonly etag: string;
  readonly answer: Answer;
  readonly size: number;
}

/**
 * Every request goes through here. What GitHub limits becomes `TryLater`, and nothing more is asked until then; writes
 * are spaced per installation; what was read before is only asked for if it has changed; a token that GitHub no longer
 * knows is replaced once. Everything else is let through as it is: the inbox tries again.
 */
export class RequestGuard {
  readonly #parts: GuardParts;
  readonly #paces = new LRUCache<string, WritePace>({ max: 2 * MOST_INSTALLATIONS });
  readonly #closed = new LRUCache<string, number>({ max: 2 * MOST_INSTALLATIONS });
  readonly #noted = new WeakSet<object>();
  readonly #kept = new LRUCache<string, Kept>({ ...ETAGS, sizeCalculation: ({ size }) => size });

  constructor(parts: GuardParts) {
    this.#parts = parts;
  }

  /** Hooks on last, and so sees each request first. */
  watch(octokit: ProbotOctokit, installation: number | null): void {
    octokit.hook.wrap("request", async (send, options) => {
      await this.#enter(installation, options);
      const ask = () => this.#ask(octokit, installation, send, options);
      try {
        return await ask();
      } catch (error) {
        if (installation === null || !isForeignToken(error, options)) throw error;
        await octokit.auth({ type: "installation", installationId: installation, refresh: true });
        return await ask();
      }
    });
  }

  async #enter(installation: number | null, options: Options): Promise<void> {
    const { paces, now, sleep } = this.#parts;
    const until = this.#closed.get(quotaOf(installation, options)) ?? 0;
    if (until > now()) throw new TryLater(rateLimited(nameOf(options)), until);
    if (!isWrite(options)) return;
    const kind = installation === null ? "app" : isReaction(options) ? "reactions" : "installation";
    const name = `${installation} ${kind}`;
    const pace = this.#paces.get(name) ?? new WritePace(paces[kind], now);
    this.#paces.set(name, pace);
    const { taken, waitMs } = pace.take(LONGEST_WAIT_MS);
    if (!taken) throw new TryLater(tooManyWrites(nameOf(options)), now() + waitMs);
    if (waitMs > 0) await sleep(waitMs);
  }

  async #ask(
    octokit: ProbotOctokit,
    installation: number | null,
    send: Send,
    options: Options,
  ): Promise<Answer> {
    const key =
      installation !== null && options.method === "GET" ? conditionKey(octokit, installation, options) : null;
    const kept = key === null ? undefined : this.#kept.get(key);
    // Hooks further in get the very options that we got, whatever `send` is given: so these are changed.
    if (kept !== undefined) options.headers["if-none-match"] = kept.etag;
    try {
      const answer = await send(options);
      this.#note(installation, options, answer);
      if (key !== null) this.#keep(key, answer);
      return answer;
    } catch (error) {
      // What went wrong on the way to a token was noted when that was asked for.
      if (error instanceof TryLater || this.#noted.has(error as object)) throw error;
      this.#noted.add(error as object);
      this.#note(installation, options, answerOf(error), error);
      if (kept !== undefined && statusOf(error) === 304) return kept.answer;
      throw error;
    }
  }

  /** Tells of a request, and throws when the answer asks for patience. */
  #note(installation: number | null, options: Options, answer: AnswerFacts | null, cause?: unknown): void {
    const { now, onRequest } = this.#parts;
    const { method, url: route } = options;
    const remaining = answer === null ? null : readRemaining(answer);
    onRequest({ method, route, status: answer?.status ?? null, installation, remaining });
    if (answer === null) return;
    const quota = quotaOf(installation, options);
    const usedUp = readUsedUp(answer, now());
    if (usedUp !== null) this.#closed.set(quota, usedUp);
    const until = readRateLimit(answer, now());
    if (until === null) return;
    // Who still has some of the hour's quota left was too quick: that holds for whatever is asked.
    for (const closed of remaining === 0 ? [quota] : [`${installation} rest`, `${installation} graphql`])
      this.#closed.set(closed, until);
    throw new TryLater(rateLimited(nameOf(options)), until, { cause });
  }

  #keep(key: string, answer: Answer): void {
    const { etag } = answer.headers;
    if (answer.status !== 200 || typeof etag !== "string") return;
    this.#kept.set(key, { etag, answer, size: JSON.stringify(answer.data)?.length || 1 });
  }
}

/** REST and GraphQL have quotas of their own, and so has the App where it does not act for an installation. */
function quotaOf(installation: number | null, { url }: Options): string {
  return `${url === TOKEN_ROUTE ? null : installation} ${url.endsWith("/graphql") ? "graphql" : "rest"}`;
}

function nameOf({ method, url }: Options): string {
  return `${method} ${url}`;
}

/** A token is asked for when it is needed, whatever else is written. */
function isWrite({ method, url, ...rest }: Options): boolean {
  if (method === "GET" || method === "HEAD" || url === TOKEN_ROUTE) return false;
  return !url.endsWith("/graphql") || /^\s*mutation\b/.test(`${rest.query}`);
}

function isReaction({ url, ...rest }: Options): boolean {
  return url.endsWith("/reactions") || (url.endsWith("/graphql") && /\baddReaction\b/.test(`${rest.query}`));
}

/** GitHub forgets a token before its time when the installation changes. One that it never gave is another matter. */
function isForeignToken(error: unknown, { url }: Options): boolean {
  return statusOf(error) === 401 && url !== TOKEN_ROUTE && !isTokenRefusal(error);
}

function conditionKey(octokit: ProbotOctokit, installation: number, options: Options): string {
  const { url, headers } = octokit.request.endpoint(options);
  return `${installation} ${headers.accept} ${url}`;
}
