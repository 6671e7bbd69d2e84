import type { LandOutcome } from "../../land/land-outcome.js";
import { ruleOf } from "../../land/refusal.js";
import { refusalDetail } from "./refusal-words.js";

/** A promise to programs, as docs/json.md describes it. */
export function landingJson(bead: string, outcome: LandOutcome, branch: string | null) {
  if (outcome.kind === "landed") return { bead, result: "merged", head: outcome.head, branch };
  if (outcome.kind !== "refused") return { bead, result: outcome.kind };
  const { kind, ...found } = outcome.refusal;
  const { result } = ruleOf(outcome.refusal);
  const detail = refusalDetail(outcome.refusal);
  return result === "error"
    ? { bead, detail, result, reason_code: kind }
    : { bead, detail, result, ...found };
}
