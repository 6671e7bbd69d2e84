import type { OutcomeKind } from "../../model/agent-end.js";

/** What a failed result says about itself; null and "" where it says nothing. */
export interface ClaudeFailure {
  readonly subtype: string;
  readonly stopReason: string;
  readonly terminalReason: string;
  /** HTTP status of the API's answer. */
  readonly status: number | null;
  /** The class that the last failed message carried. */
  readonly error: string;
  readonly text: string;
}

interface Row {
  readonly sign: string;
  readonly kind: OutcomeKind;
  matches(failure: ClaudeFailure): boolean;
}

/**
 * First match wins. `limited` is a rate limit or a full plan, `unavailable` a service that is overloaded, broken or
 * not to be reached: neither is the bead's fault, and the same works later. `auth`, `billing` and `unknown-model` need
 * a person. The rest of the failures are `failed`, which costs the bead an attempt.
 */
export const CLAUDE_FAILURES: readonly Row[] = [
  { sign: "subtype error_max_turns", kind: "max-turns", matches: (f) => f.subtype === "error_max_turns" },
  {
    sign: "subtype error_max_budget_usd",
    kind: "budget",
    matches: (f) => f.subtype === "error_max_budget_usd",
  },
  // An interrupt that nobody recorded as a stop: a cancelled job, a person with `kill`.
  {
    sign: "terminal reason aborted_…",
    kind: "killed",
    matches: (f) => f.terminalReason.startsWith("aborted"),
  },
  { sign: "stop reason refusal", kind: "refused", matches: (f) => f.stopReason === "refusal" },
  // A used-up balance is reported with status 400, so it goes before the statuses.
  {
    sign: "status 402, billing_error, credit too low",
    kind: "billing",
    matches: (f) =>
      f.status === 402 || f.error === "billing_error" || /credit balance is too low/i.test(f.text),
  },
  {
    sign: "status 401 or 403, authentication_failed, not logged in",
    kind: "auth",
    matches: (f) =>
      f.status === 401 ||
      f.status === 403 ||
      f.error === "authentication_failed" ||
      /^(not logged in|invalid api key)/i.test(f.text),
  },
  // A wrong address answers 404 as well, so the status alone says nothing.
  {
    sign: "model_not_found, an issue with the selected model",
    kind: "unknown-model",
    matches: (f) =>
      f.error === "model_not_found" || /^there's an issue with the selected model/i.test(f.text),
  },
  {
    sign: "status 429, rate_limit",
    kind: "limited",
    matches: (f) => f.status === 429 || f.error === "rate_limit",
  },
  {
    sign: "status 500 and above, overloaded, server_error",
    kind: "unavailable",
    matches: (f) => (f.status ?? 0) >= 500 || f.error === "overloaded" || f.error === "server_error",
  },
  {
    sign: "no answer from the API",
    kind: "unavailable",
    matches: (f) => f.status === null && /^api error: .*(connect|timed out|network)/i.test(f.text),
  },
];

export function claudeFailureKind(failure: ClaudeFailure): OutcomeKind {
  return CLAUDE_FAILURES.find((row) => row.matches(failure))?.kind ?? "failed";
}
