/** White space of any kind separates words, a no-break space too; a character without width separates nothing. */
const BLANK = /[^\S\ufeff]/;

/** Each mark that opens a quotation, with those that close it. Keyboards of phones put in the curved ones. */
const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["“", "”“"],
  ["„", "“”"],
  ["‘", "’"],
]);

export interface Word {
  /** Without the quotes around it or around its value. */
  readonly text: string;
  /** Quoted from its first character, so it is never an option. */
  readonly quoted: boolean;
  readonly start: number;
  readonly end: number;
}

/** The next word at or after a place of a line; null at its end, `open-quote` when a quotation does not end. */
export function wordAt(line: string, from: number): Word | "open-quote" | null {
  const start = skipBlanks(line, from);
  if (start >= line.length) return null;
  let at = start;
  let text = "";
  while (at < line.length && !BLANK.test(line.charAt(at))) {
    if (mayQuote(line, at, start)) {
      const quotation = quotationAt(line, at);
      if (quotation === null) return "open-quote";
      text += quotation.text;
      at = quotation.end;
    } else {
      text += line.charAt(at);
      at += 1;
    }
  }
  return { text, quoted: CLOSERS.has(line.charAt(start)), start, end: at };
}

/** The last word of a line, whatever is quoted in it; null when there is none. */
export function lastWord(line: string): { readonly text: string; readonly start: number } | null {
  const end = line.trimEnd().length;
  let start = end;
  while (start > 0 && !BLANK.test(line.charAt(start - 1))) start -= 1;
  return start === end ? null : { text: line.slice(start, end), start };
}

/**
 * A text as it was typed, or what is in the quotes when they are around all of it. Null when it opens with a double
 * quote and has no other: an apostrophe there is an apostrophe.
 */
export function unquoted(text: string): string | null {
  const quotation = CLOSERS.has(text.charAt(0)) ? quotationAt(text, 0) : undefined;
  if (quotation === undefined) return text;
  if (quotation === null) return /^['‘]/.test(text) ? text : null;
  return quotation.end === text.length ? quotation.text : text;
}

/** The first word of a text and what follows it, out of its quotes; null when nothing follows. */
export function splitFirstWord(text: string): { readonly word: string; readonly rest: string } | null {
  const word = wordAt(text, 0);
  if (word === null || word === "open-quote" || word.quoted) return null;
  const rest = text.slice(word.end).trim();
  return rest === "" ? null : { word: word.text, rest: unquoted(rest) ?? rest };
}

export function startsQuoted(line: string, from: number): boolean {
  return CLOSERS.has(line.charAt(skipBlanks(line, from)));
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (at < line.length && BLANK.test(line.charAt(at))) at += 1;
  return at;
}

function mayQuote(line: string, at: number, start: number): boolean {
  return CLOSERS.has(line.charAt(at)) && (at === start || line.charAt(at - 1) === "=");
}

function quotationAt(line: string, at: number): { readonly text: string; readonly end: number } | null {
  const closers = CLOSERS.get(line.charAt(at)) ?? "";
  const pieces: string[] = [];
  for (let next = at + 1; next < line.length; next += 1) {
    const mark = line.charAt(next);
    if (closers.includes(mark)) return { text: pieces.join(""), end: next + 1 };
    const escaped = mark === "\\" && isEscapable(line.charAt(next + 1));
    if (escaped) next += 1;
    pieces.push(line.charAt(next));
  }
  return null;
}

/** In quotes a backslash takes the meaning from a quote or another backslash; before anything else it is itself. */
function isEscapable(mark: string): boolean {
  return mark !== "" && `\\"'“”„‘’`.includes(mark);
}
