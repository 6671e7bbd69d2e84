import { type JsonToken, jsonTokenAt } from "./json-token.js";

/** Where a JSON object stands in a text: from its opening brace to behind its closing one. */
export interface JsonPlace {
  readonly start: number;
  readonly end: number;
}

export interface JsonSearch {
  /** In the order of the text; of objects inside one another that have the key, only the outermost. */
  readonly found: readonly JsonPlace[];
  /** Where an object begins in whose middle the text ends; null when it ends in none. */
  readonly unfinished: number | null;
}

/** An object or array whose end has not been seen. */
interface Open {
  readonly start: number;
  readonly isObject: boolean;
  /** What the grammar allows next. */
  expected: "key" | "key or end" | "colon" | "value" | "value or end" | "comma or end";
  /** It has a key, so it is more than a brace in a sentence. */
  keyed: boolean;
  /** It has the key that is looked for. */
  wanted: boolean;
}

/**
 * The objects that have a key, out of prose with braces and quotes of any kind. Time grows with the length of
 * the text and nothing else: containers within one another are read in one go, and where the grammar is broken
 * all that are open are broken, so reading goes on behind that place. Only the last string is looked at again,
 * since a stray quote turns inside and outside round: `{"so {"key": 1}`.
 */
export function findJsonObjects(text: string, key: string): JsonSearch {
  const name = JSON.stringify(key);
  const found: JsonPlace[] = [];
  const open: Open[] = [];
  let unfinished: number | null = null;
  let lastString: number | null = null;
  for (let at = 0; ; ) {
    const inner = open.at(-1);
    if (inner === undefined) {
      at = text.indexOf("{", at);
      if (at === -1) return { found, unfinished };
      open.push(opened("{", at));
      lastString = null;
      at += 1;
      continue;
    }
    const token = jsonTokenAt(text, at);
    if (fits(token, inner)) {
      lastString = token.kind === "string" ? token.start : null;
      at = token.end;
      if (token.kind === "{" || token.kind === "[") open.push(opened(token.kind, token.start));
      if (token.kind === "}" || token.kind === "]") {
        open.pop();
        if (inner.wanted) keepOutermost(found, { start: inner.start, end: token.end });
      }
      step(inner, token, name, text);
      continue;
    }
    if (token.kind === "cut" && open[0]?.keyed) unfinished = open[0].start;
    open.length = 0;
    const string = lastString ?? (text[token.start] === '"' ? token.start : null);
    at = string === null ? token.start : string + 1;
  }
}

function opened(bracket: "{" | "[", start: number): Open {
  const isObject = bracket === "{";
  return { start, isObject, expected: isObject ? "key or end" : "value or end", keyed: false, wanted: false };
}

/** Notes what a token that fits means for the container it stands in. */
function step(inner: Open, token: JsonToken, name: string, text: string): void {
  if (token.kind === ",") inner.expected = inner.isObject ? "key" : "value";
  else if (token.kind === ":") inner.expected = "value";
  else if (inner.expected === "key" || inner.expected === "key or end") {
    inner.expected = "colon";
    inner.keyed = true;
    inner.wanted ||= text.slice(token.start, token.end) === name;
  } else inner.expected = "comma or end";
}

function fits({ kind }: JsonToken, { expected, isObject }: Open): boolean {
  if (kind === "cut" || kind === "wrong") return false;
  const isEnd = kind === (isObject ? "}" : "]");
  const isValue = kind === "string" || kind === "literal" || kind === "{" || kind === "[";
  switch (expected) {
    case "key":
      return kind === "string";
    case "key or end":
      return kind === "string" || isEnd;
    case "colon":
      return kind === ":";
    case "value":
      return isValue;
    case "value or end":
      return isValue || isEnd;
    case "comma or end":
      return kind === "," || isEnd;
  }
}

function keepOutermost(found: JsonPlace[], place: JsonPlace): void {
  while ((found.at(-1)?.start ?? -1) > place.start) found.pop();
  found.push(place);
}
