import { backoff } from "../../../lib/backoff.js";
import { mendingOf } from "../../land/refusal.js";
import type { DecidedEvent } from "../ledger/decided-event.js";
import { blockSlot } from "./block-slot.js";
import { askAgain, type StepFacts, sendBack, waitForPerson, wantsReview } from "./next-step.js";

/** How often a landing that may pass by itself is tried again, and after how long. */
const MOST_RETRIES = 2;
const RETRY_MS = { first: 10_000, longest: 10_000 * 2 ** MOST_RETRIES };

export type LandingSequel =
  | { readonly kind: "append"; readonly event: DecidedEvent }
  /** Too early to try again. */
  | { readonly kind: "wait"; readonly until: number };

/** What becomes of a slot whose landing was refused to the engine. */
export function concludeLanding(facts: StepFacts): LandingSequel {
  const { slot, now } = facts;
  const { refusal, setbacks } = slot;
  if (refusal === null || slot.candidate === null) return append(blockSlot(slot, slot.note));
  const mend = mendingOf(refusal);
  const { result, code, detail } = refusal;
  const why = (times: number | null) =>
    ({ code: "land-refused", result, refusal: code, detail, times }) as const;
  switch (mend.by) {
    case "agent": {
      const { setback, most, after } = mend;
      return append(
        setbacks[setback] < most
          ? sendBack(slot, { report: setback, why: why(null), now })
          : blockSlot(slot, why(most + 1), after),
      );
    }
    case "person":
      return append(blockSlot(slot, why(null)));
    case "later": {
      // Found before its review: to ask for the landing would be to do without one.
      const unreviewed = wantsReview(facts);
      if (unreviewed || setbacks.error > MOST_RETRIES)
        return append(mend.after === "blocked" ? blockSlot(slot, why(null)) : waitForPerson(slot, why(null)));
      const until = Date.parse(slot.at) + backoff(RETRY_MS, setbacks.error - 1);
      // A time that cannot be read, or lies far ahead because a clock was set back, is not waited for.
      const early = until > now && until <= now + RETRY_MS.longest;
      return early ? { kind: "wait", until } : append(askAgain(slot, facts));
    }
  }
}

function append(event: DecidedEvent): LandingSequel {
  return { kind: "append", event };
}
