/** Where a member of a JSON object stands in its text. */
interface Member {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** The text of a member's value, or null when there is none. Of a repeated key the last counts, as in JSON.parse. */
export function memberText(object: string, key: string): string | null {
  const member = members(object).findLast((each) => each.key === key);
  return member === undefined ? null : object.slice(member.start, member.end);
}

/**
 * The text of a JSON object with one value replaced, or added at the end. Every other character stays:
 * spacing, order, numbers too large for a double, keys nobody here knows.
 */
export function withMember(object: string, key: string, value: string): string {
  const all = members(object);
  const member = all.findLast((each) => each.key === key);
  if (member !== undefined) return object.slice(0, member.start) + value + object.slice(member.end);
  const last = all.at(-1);
  const place = last?.end ?? object.indexOf("{") + 1;
  return `${object.slice(0, place)}${last ? "," : ""}${JSON.stringify(key)}:${value}${object.slice(place)}`;
}

/** The text of a JSON array with one more element. */
export function withElement(array: string, element: string): string {
  const end = array.lastIndexOf("]");
  const inner = array.slice(array.indexOf("[") + 1, end);
  return `${array.slice(0, end)}${inner.trim() === "" ? "" : ","}${element}${array.slice(end)}`;
}

/** The text is known to be a JSON object; whatever stands before its brace, such as a byte-order mark, is passed over. */
function members(object: string): Member[] {
  const found: Member[] = [];
  let at = object.indexOf("{") + 1;
  for (;;) {
    at = next(object, at, /[^\s,]/g);
    if (object[at] !== '"') return found;
    const keyEnd = stringEnd(object, at);
    const start = next(object, next(object, keyEnd, /:/g) + 1, /\S/g);
    const end = valueEnd(object, start);
    found.push({ key: JSON.parse(object.slice(at, keyEnd)) as string, start, end });
    at = end;
  }
}

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first !== "{" && first !== "[") return next(text, start, /[\s,}\]]/g);
  let depth = 0;
  for (let at = start; ; ) {
    if (text[at] === '"') {
      at = next(text, stringEnd(text, at), /["[\]{}]/g);
      continue;
    }
    depth += text[at] === "{" || text[at] === "[" ? 1 : -1;
    if (depth === 0) return at + 1;
    at = next(text, at + 1, /["[\]{}]/g);
  }
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += text[at] === "\\" ? 2 : 1) {
    if (text[at] === '"') return at + 1;
  }
  throw new Error("not JSON: a string has no end");
}

/** The first match of `pattern` from `from` on. */
function next(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  if (match === null) throw new Error("not JSON: it ends too soon");
  return match.index;
}
