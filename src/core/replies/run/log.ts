import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import type { LedgerEvent } from "../../run/ledger/ledger-event.js";

const LONGEST_VALUE = 80;
const LONGEST_DATA = 400;

/**
 * The data of a ledger event as `key=value` pairs; what is long ends in an ellipsis, what is empty is left out. So is
 * what a reason holds for programs: the sentence beside it says the same.
 */
export function dataText(event: object): string {
  const { data: _, ...data } = event as { readonly data?: unknown };
  const shown: string[] = [];
  let length = 0;
  for (const pair of pairs("", data)) {
    length += pair.length + 1;
    if (length > LONGEST_DATA) return [...shown, "…"].join(" ");
    shown.push(pair);
  }
  return shown.join(" ");
}

/** What a line of the log shows of an event: an agent that is not the implementer has a model of its own. */
export function shownData(event: LedgerEvent): object {
  if (event.type !== "slot.dispatching") return event.data;
  const { asides, ...data } = event.data;
  const stage = asides.find(({ task }) => task === data.task);
  if (stage === undefined) return event.data;
  const { model, model_why, timeout_seconds, estimate_usd } = stage;
  return { ...data, model, model_why, timeout_seconds, estimate_usd };
}

function* pairs(path: string, data: object): Generator<string> {
  for (const [key, value] of Object.entries(data)) {
    const name = `${path}${cutText(plainText(key), LONGEST_VALUE)}`;
    if (isObject(value)) yield* pairs(`${name}.`, value);
    else {
      const text = Array.isArray(value) ? listText(value) : valueText(value);
      if (text !== "") yield `${name}=${text}`;
    }
  }
}

function listText(items: readonly unknown[]): string {
  const isFlat = !items.some((item) => isObject(item) || Array.isArray(item));
  return isFlat ? cutText(items.map(valueText).join(","), LONGEST_VALUE) : `[${items.length}]`;
}

/** Cut before it is quoted, so that it is one value to the eye, however long it was. */
function valueText(value: unknown): string {
  const text = cutText(plainText(String(value ?? "")), LONGEST_VALUE);
  return /[\s"=,]/.test(text) ? JSON.stringify(text) : text;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
