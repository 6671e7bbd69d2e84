import { githubAdvice } from "../../core/replies/app/github.js";
import { UserError } from "../../lib/user-error.js";
import { OutsideFault } from "../../ports/outside-fault.js";
import type { Octokit as Client } from "./app-client.js";
import { boundedFetch } from "./bounded-fetch.js";
import { readRateLimit } from "./rate-limit.js";
import { answerOf } from "./request-error.js";

/** Asked for a token whenever one is needed: one that is about to expire is followed by another. */
export type TokenSource = () => Promise<string>;

interface TokenOn {
  readonly apiUrl: string;
  /** Null for what GitHub answers to anybody. */
  readonly token: string | TokenSource | null;
}

const BOUNDS = { mostAtOnce: 20, timeoutMs: 20_000, mostBytes: 32 * 1024 * 1024 };

/**
 * A client that speaks for whoever the token belongs to: the operator at a terminal, or a workflow. Its package is
 * read here and not before: most commands have no use for it.
 */
export async function tokenClient({ apiUrl, token }: TokenOn): Promise<Client> {
  const { Octokit } = await import("@octokit/rest");
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const octokit = new Octokit({
    ...(typeof token === "string" && { auth: token }),
    baseUrl: apiUrl.replace(/\/+$/, ""),
    userAgent: "koryph",
    // It would tell of every failed request, which whoever asked tells better.
    log: silent,
    request: { fetch: boundedFetch(BOUNDS) },
  });
  if (typeof token === "function")
    octokit.hook.before("request", async ({ headers }) => {
      headers.authorization = `token ${await token()}`;
    });
  octokit.hook.error("request", (error) => {
    throw asFault(error, apiUrl);
  });
  return octokit;
}

/** No answer, a broken one and a limit are nobody's fault here, and pass; a token that GitHub does not know does not. */
function asFault(error: unknown, apiUrl: string): unknown {
  const answer = answerOf(error);
  if (answer === null) {
    const why = error instanceof Error ? error.message : String(error);
    return withCause(new OutsideFault(githubAdvice.unreachable(apiUrl, why)), error);
  }
  if (answer.status >= 500 || readRateLimit(answer, Date.now()) !== null)
    return withCause(new OutsideFault(githubAdvice.notNow(apiUrl, answer.status)), error);
  return answer.status === 401 ? withCause(UserError.of(githubAdvice.badToken(apiUrl)), error) : error;
}

function withCause<T extends Error>(fault: T, cause: unknown): T {
  return Object.assign(fault, { cause });
}
