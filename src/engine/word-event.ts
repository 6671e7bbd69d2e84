import { keptFacts } from "../core/model/kept-facts.js";
import { requestAnswerText } from "../core/replies/run/request-answer.js";
import { slotReasonText } from "../core/replies/run/slot-reason.js";
import { type DecidedEvent, WORDED_IN } from "../core/run/ledger/decided-event.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { RequestAnswer } from "../core/run/ledger/request-answer.js";
import type { Words } from "../core/run/ledger/slot-reason.js";

/** The event as it is written: its reason as a sentence for people, and as code and data for programs. */
export function wordEvent(event: DecidedEvent): NewEvent {
  if (!("why" in event)) return event;
  const { why, data, ...rest } = event;
  const words = { [WORDED_IN[event.type]]: slotReasonText(why) };
  // The compiler loses which field belongs to which type; the ledger checks each event before it writes it.
  return { ...rest, data: { ...data, ...words, ...codeAndData(why) } } as NewEvent;
}

/** A control request is off the ledger, and this is what became of it. */
export function consumedEvent(request: string, answer: RequestAnswer, run: string): NewEvent {
  const data = { request, note: requestAnswerText(answer), ...codeAndData(answer) };
  return { type: "control.consumed", run, data };
}

/** Empty for words that are not ours. */
function codeAndData(words: Words | RequestAnswer): { code?: string; data?: ReturnType<typeof keptFacts> } {
  if (typeof words === "string") return {};
  const { code, ...facts } = words;
  return { code, ...(Object.keys(facts).length > 0 && { data: keptFacts(facts) }) };
}
