import { redactText } from "../../core/redact.js";
import { neverFinished } from "../../core/replies/app/inbox.js";
import { backoff } from "../../lib/backoff.js";
import { cutText } from "../../lib/cut-text.js";
import { plainText } from "../../lib/plain-text.js";
import type { Job } from "../../ports/inbox.js";
import { Hopeless, TryLater } from "../../ports/try-later.js";

/** An outage of an hour is over by then; a comment that can never be handled holds up its thread for as long. */
const MOST_ATTEMPTS = 14;

/**
 * More than failures ever make: whoever has been taken so often was in hand when the process died, again and again.
 * A server that is killed now and then for other reasons gets nowhere near it.
 */
const MOST_TAKES = 25;

const WAIT_MS = { first: 5000, longest: 10 * 60 * 1000 };

/** After so long, being told to try later counts like any other failure. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;

const LONGEST_TEXT = 500;

export type FailureVerdict =
  /** `counted` is false when nobody failed, so that it has as many attempts left as before. */
  | { readonly kind: "postpone"; readonly notBefore: number; readonly counted: boolean }
  | { readonly kind: "bury" };

/** What becomes of a job whose handler threw. `chance` is from 0 up to 1. */
export function judgeFailure(
  { attempt, receivedAt }: Pick<Job, "attempt" | "receivedAt">,
  error: unknown,
  { now, chance }: { readonly now: number; readonly chance: number },
): FailureVerdict {
  if (error instanceof Hopeless) return { kind: "bury" };
  const later = error instanceof TryLater ? error.notBefore : 0;
  if (later > 0 && now - receivedAt < PATIENCE_MS) {
    return { kind: "postpone", notBefore: Math.max(later, now), counted: false };
  }
  if (attempt >= MOST_ATTEMPTS) return { kind: "bury" };
  const wait = backoff(WAIT_MS, attempt - 1);
  // Jobs that failed together, because GitHub was away, do not all come back together.
  const spread = Math.round(wait * (0.5 + chance / 2));
  return { kind: "postpone", notBefore: Math.max(later, now + spread), counted: true };
}

/** Null for a job that may be tried. */
export function refuseTake({ attempt }: Pick<Job, "attempt">): Hopeless | null {
  if (attempt <= MOST_TAKES) return null;
  return new Hopeless(neverFinished(attempt - 1));
}

/** An error in one line that may be kept and shown. */
export function failureText(error: unknown): string {
  const words: string[] = [];
  for (let each = error; each instanceof Error && words.length < 4; each = each.cause)
    words.push(each.message);
  const text = error instanceof Error ? words.join(": ") : String(error);
  // Cut before it is searched, because it may be huge, and again after, where a secret may have been cut in two.
  const clean = redactText(text.slice(0, 20 * LONGEST_TEXT));
  return cutText(plainText(clean), LONGEST_TEXT) || "an error without a word";
}
