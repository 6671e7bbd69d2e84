import { requestAnswerText } from "../core/replies/run/request-answer.js";
import { slotReasonText } from "../core/replies/run/slot-reason.js";
import { type DecidedEvent, WORDED_IN } from "../core/run/ledger/decided-event.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { RequestAnswer } from "../core/run/ledger/request-answer.js";
import type { Words } from "../core/run/ledger/slot-reason.js";
import { cutText } from "../lib/cut-text.js";

const LONGEST_TEXT = 500;

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

/** Empty for words that are not ours. Long texts are cut: the sentence beside them has them whole. */
function codeAndData(words: Words | RequestAnswer): { code?: string; data?: ShownData } {
  if (typeof words === "string") return {};
  const { code, ...data } = words;
  return { code, ...(Object.keys(data).length === 0 ? {} : { data: shortened(data) }) };
}

type Shown = string | number | null | { readonly [name: string]: Shown };
type ShownData = { [name: string]: ShownValue };
type ShownValue = string | number | null | ShownData;

function shortened(data: { readonly [name: string]: Shown }): ShownData {
  const short = (value: Shown): ShownValue => {
    if (typeof value === "string") return cutText(value, LONGEST_TEXT);
    return typeof value === "object" && value !== null ? shortened(value) : value;
  };
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, short(value)]));
}
