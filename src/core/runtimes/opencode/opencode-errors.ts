import type { OutcomeKind } from "../../model/agent-end.js";

/** What an error line says about itself; null and "" where it says nothing. */
export interface OpencodeFailure {
  readonly name: string;
  /** HTTP status of the API's answer. */
  readonly status: number | null;
  readonly message: string;
  readonly body: string;
}

interface Row {
  readonly sign: string;
  readonly kind: OutcomeKind;
  matches(failure: OpencodeFailure): boolean;
}

/** First match wins. */
export const OPENCODE_FAILURES: readonly Row[] = [
  { sign: "MessageAbortedError", kind: "killed", matches: (f) => f.name === "MessageAbortedError" },
  // A used-up balance is reported with status 429 by some and 400 by others, so it goes before the statuses.
  {
    sign: "status 402, insufficient_quota, credit too low",
    kind: "billing",
    matches: (f) =>
      f.status === 402 ||
      /insufficient_quota|credit balance is too low/i.test(f.body) ||
      /exceeded your current quota|credit balance is too low/i.test(f.message),
  },
  {
    sign: "status 401 or 403, ProviderAuthError",
    kind: "auth",
    matches: (f) => f.status === 401 || f.status === 403 || f.name === "ProviderAuthError",
  },
  {
    sign: "ProviderModelNotFoundError, model_not_found, a model that does not exist",
    kind: "unknown-model",
    matches: (f) =>
      f.name === "ProviderModelNotFoundError" ||
      /"code": ?"model_not_found"/i.test(f.body) ||
      (f.status === 404 && /\bmodel\b.{0,200}does not exist/i.test(f.message)),
  },
  { sign: "status 429", kind: "limited", matches: (f) => f.status === 429 },
  { sign: "status 500 and above", kind: "unavailable", matches: (f) => (f.status ?? 0) >= 500 },
  {
    sign: "no answer from the API",
    kind: "unavailable",
    matches: (f) =>
      f.status === null && /unable to connect|cannot connect|econn|socket|timed? ?out/i.test(f.message),
  },
];

export function opencodeFailureKind(failure: OpencodeFailure): OutcomeKind {
  return OPENCODE_FAILURES.find((row) => row.matches(failure))?.kind ?? "failed";
}
