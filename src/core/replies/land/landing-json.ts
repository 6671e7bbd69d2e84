import type { RequestRefusal } from "../../land/decide-request.js";
import type { LandOutcome } from "../../land/land-outcome.js";
import { ruleOf } from "../../land/refusal.js";
import { refusalDetail } from "./refusal-words.js";
import { requestAdvice } from "./request-advice.js";

/** A promise to programs, as docs/json.md describes it. */
export function landingJson(bead: string, outcome: LandOutcome, branch: string | null) {
  if (outcome.kind === "landed")
    return { bead, result: "merged", head: outcome.head, branch, receipt: outcome.receipt ?? null };
  if (outcome.kind !== "refused") return { bead, result: outcome.kind };
  const { kind, ...found } = outcome.refusal;
  const { result } = ruleOf(outcome.refusal);
  const detail = refusalDetail(outcome.refusal);
  return result === "error"
    ? { bead, detail, result, reason_code: kind }
    : { bead, detail, result, ...found };
}

/** The same for a bead that was not put into the queue at all. */
export function requestRefusalJson(bead: string, refusal: RequestRefusal) {
  const { message: detail } = requestAdvice(bead, refusal);
  switch (refusal.kind) {
    case "no_commits":
      return { bead, detail, result: "no-changes" };
    case "held":
      return { bead, detail, result: "held" };
    case "squash_signed":
    case "no_slot":
    case "under_way":
    case "at_work":
    case "is_pull":
    case "not_accepted":
      return { bead, detail, result: "error", reason_code: refusal.kind };
  }
}

/** One of several whose landing failed for a reason of its surroundings. */
export function notLandableJson(bead: string, detail: string) {
  return { bead, detail, result: "error", reason_code: "not_landable" };
}
