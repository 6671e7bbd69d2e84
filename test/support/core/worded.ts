import { slotReasonText } from "../../../src/core/replies/run/slot-reason.js";
import type { AttemptVerdict } from "../../../src/core/run/tick/conclude-attempt.js";

/** A verdict with its reason as people read it. */
export function worded(verdict: AttemptVerdict) {
  return { ...verdict, why: slotReasonText(verdict.why) };
}
