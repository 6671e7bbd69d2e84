import { ProbotOctokit } from "probot";
import type { Octokit } from "./app-client.js";
import { boundedFetch } from "./bounded-fetch.js";

const BOUNDS = { mostAtOnce: 20, timeoutMs: 20_000, mostBytes: 32 * 1024 * 1024 };

/** A client that speaks for whoever the token belongs to: the operator at a terminal, or a workflow. */
export function tokenClient({ apiUrl, token }: { readonly apiUrl: string; readonly token: string }): Octokit {
  const silent = { debug() {}, info() {}, warn() {}, error() {}, trace() {}, fatal() {} };
  return new ProbotOctokit({
    auth: { token },
    baseUrl: apiUrl.replace(/\/+$/, ""),
    userAgent: "koryph",
    // It would tell of every failed request, which whoever asked tells better.
    log: silent as never,
    throttle: { enabled: false },
    retry: { enabled: false },
    request: { fetch: boundedFetch(BOUNDS) },
  });
}
