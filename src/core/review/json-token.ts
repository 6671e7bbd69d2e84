/** One token of JSON in a text that may be anything. */
export interface JsonToken {
  /** `cut`: the text ends before or inside it. `wrong`: it is nothing JSON knows. */
  readonly kind: "{" | "}" | "[" | "]" | "," | ":" | "string" | "literal" | "cut" | "wrong";
  readonly start: number;
  readonly end: number;
}

const LITERAL = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const WORD = /[\w.+-]*/y;
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
const QUOTE = 0x22;
const SPACE = 0x20;
const BACKSLASH = 0x5c;

/** The token at or behind a place, with white space passed over. */
export function jsonTokenAt(text: string, from: number): JsonToken {
  let start = from;
  while (isSpace(text.charCodeAt(start))) start += 1;
  const first = text[start];
  switch (first) {
    case undefined:
      return { kind: "cut", start, end: start };
    case "{":
    case "}":
    case "[":
    case "]":
    case ",":
    case ":":
      return { kind: first, start, end: start + 1 };
    case '"':
      return stringAt(text, start);
  }
  const literal = endOf(LITERAL, text, start);
  if (literal > start) return { kind: "literal", start, end: literal };
  const end = endOf(WORD, text, start);
  return { kind: end === text.length ? "cut" : "wrong", start, end };
}

function stringAt(text: string, start: number): JsonToken {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return { kind: "string", start, end: at + 1 };
    if (code < SPACE) return { kind: "wrong", start, end: at };
    if (code !== BACKSLASH) continue;
    const escaped = endOf(ESCAPE, text, at + 1);
    if (escaped === at + 1) {
      // Five characters, so that a match means that the text ends here.
      const isCut = /^(?:u[0-9a-fA-F]{0,3})?$/.test(text.slice(at + 1, at + 6));
      return { kind: isCut ? "cut" : "wrong", start, end: at };
    }
    at = escaped - 1;
  }
  return { kind: "cut", start, end: text.length };
}

/** The place behind the match, or `from` when there is none. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === 0x0a || code === 0x0d || code === 0x09;
}
