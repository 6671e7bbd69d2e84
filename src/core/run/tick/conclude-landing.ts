import { backoff } from "../../../lib/backoff.js";
import { landWords } from "../../replies/land/land.js";
import type { NewEvent } from "../ledger/ledger-event.js";
import type { Slot } from "../ledger/slot.js";
import { block, requestLanding, sendBack } from "./next-step.js";

/** How often each setback sends the bead back before a person has to look. */
const MOST = { gate: 2, conflict: 2, style: 1, error: 2 } as const;
/** Errors that trying again cannot mend. */
const LASTING: ReadonlySet<string> = new Set([
  "squash_signed",
  "unsupported",
  "no_candidate",
  "other_branch",
]);
const RETRY_MS = { first: 10_000, longest: 10_000 * 2 ** MOST.error };

export type LandingSequel =
  | { readonly kind: "append"; readonly event: NewEvent }
  /** Too early to try again. */
  | { readonly kind: "wait"; readonly until: number };

/** What becomes of a slot whose landing was refused to the engine. */
export function concludeLanding(slot: Slot, method: "ff" | "squash", now: number): LandingSequel {
  const { refusal, setbacks } = slot;
  if (refusal === null || slot.candidate === null) return append(block(slot, slot.note));
  const reason = `${refusal.result}: ${refusal.detail}`;
  switch (refusal.result) {
    case "gate-failed":
      return append(
        setbacks.gate < MOST.gate
          ? sendBack(slot, { counts: "gate", report: "gate", reason, now })
          : block(slot, landWords.tooOften(MOST.gate + 1, reason)),
      );
    case "conflict":
      return append(
        setbacks.conflict < MOST.conflict
          ? sendBack(slot, { counts: "conflict", report: "conflict", reason, now })
          : block(slot, landWords.tooOften(MOST.conflict + 1, reason), "conflict"),
      );
    case "commit-style":
      return append(
        setbacks.style < MOST.style
          ? sendBack(slot, { counts: "style", report: "style", reason, now })
          : block(slot, landWords.tooOften(MOST.style + 1, reason)),
      );
    case "error": {
      if (LASTING.has(refusal.code) || setbacks.error > MOST.error) return append(block(slot, reason));
      const until = Date.parse(slot.at) + backoff(RETRY_MS, setbacks.error - 1);
      // A time that cannot be read, or lies far ahead because a clock was set back, is not waited for.
      const early = until > now && until <= now + RETRY_MS.longest;
      return early ? { kind: "wait", until } : append(requestLanding(slot, method));
    }
    case "protected":
    case "unsigned":
    case "dirty":
    case "no-changes":
    case "merged":
      return append(block(slot, reason));
  }
}

function append(event: NewEvent): LandingSequel {
  return { kind: "append", event };
}
