import { type LandRefusal, ruleOf } from "../core/land/refusal.js";
import { keptFacts } from "../core/model/kept-facts.js";
import { refusalDetail } from "../core/replies/land/refusal-words.js";
import type { EventData } from "../core/run/ledger/event-data.js";

/** A refusal as events keep it: what it is, in words for people, and what was found. */
export function refusalData(refusal: LandRefusal): EventData<"slot.refused"> {
  const rule = ruleOf(refusal);
  const { result } = rule;
  return {
    result,
    code: result === "error" ? refusal.kind : "",
    detail: refusalDetail(refusal),
    data: keptFacts(rule.facts(refusal)),
  };
}
