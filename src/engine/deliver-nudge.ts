import { operatorWord } from "../core/replies/control/steering.js";
import { placeOf } from "../core/run/ledger/place-of.js";
import type { RequestAnswer } from "../core/run/ledger/request-answer.js";
import type { Slot } from "../core/run/ledger/slot.js";
import type { Effect } from "../core/run/tick/tick-facts.js";
import type { EngineParts } from "./engine-parts.js";

/** The inbox lies where the agent can write: what it made of the place is its own loss. */
export async function deliverNudge(
  slot: Slot,
  { request, actor, text }: Extract<Effect, { kind: "nudge" }>,
  { folders, report }: Pick<EngineParts, "folders" | "report">,
): Promise<RequestAnswer> {
  try {
    await folders.deliver(placeOf(slot), request, operatorWord(actor, text));
    return { code: "delivered" };
  } catch (error) {
    const what = `nudge of ${slot.bead}: ${error instanceof Error ? error.message : String(error)}`;
    report({ kind: "trouble", what });
    return { code: "not-delivered" };
  }
}
