import { cutText } from "../../lib/cut-text.js";
import { plainText } from "../../lib/plain-text.js";
import { TYPED } from "./typed.js";

const SHOWN_ROWS = 50;

/**
 * Text from outside, shown letter by letter wherever GitHub renders markdown: no markup, link, mention
 * or emoji comes of it, and it stays inside its table cell.
 */
export function shownText(text: string, limit = 120): string {
  return letters(cut(text, limit));
}

/** A sentence whose commands are to be copied: each is code, in which nothing invisible stands, and the rest is shown letter by letter. */
export function shownSentence(sentence: string, limit = 120): string {
  const whole = cut(sentence, limit).replace(CUT_COMMAND, "…");
  const parts = whole.split(TYPED);
  return parts.map((part, index) => (index % 2 === 1 ? shownCode(part, limit) : letters(part))).join("");
}

/** The same for names and tokens. GitHub looks for mentions and the like everywhere but in code. */
export function shownCode(text: string, limit = 60): string {
  return `<code>${escaped(cut(text, limit))}</code>`;
}

/** Names in a row, the first few of them. */
export function shownCodes(texts: readonly string[], limit: number): string {
  const rest = texts.length - limit;
  const shown = texts.slice(0, limit).map((text) => shownCode(text));
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(", ");
}

export interface Table<T> {
  readonly head: readonly string[];
  readonly items: readonly T[];
  /** Cells are markdown: what comes from outside goes through `shownText` or `shownCode` first. */
  readonly row: (item: T) => readonly string[];
  /** How many there are, when `items` is not all of them. */
  readonly total?: number;
}

export function markdownTable<T>({ head, items, row, total = items.length }: Table<T>): string {
  const rows = items.slice(0, SHOWN_ROWS);
  const rest = total - rows.length;
  return [
    line(head),
    line(head.map(() => "---")),
    ...rows.map((item) => line(row(item))),
    ...(rest > 0 ? ["", `… and ${rest} more`] : []),
  ].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** All ASCII punctuation that could start or end markup; a character reference never does. */
function escaped(text: string): string {
  return text.replace(/[^\w ,()/\u0080-\u{10ffff}-]|_/gu, (mark) => `&#${mark.codePointAt(0)};`);
}

function letters(text: string): string {
  return escaped(text).replace(LATE_MARKUP, (mark) => LATE_MARKS[mark] ?? `${mark}${NOTHING}`);
}

/** Half a command is none. */
const CUT_COMMAND = /`(?:\/?koryph|git|gh) [^`]*…$/;

const NOTHING = "&#8203;";

/**
 * Mentions, issue numbers, emoji and formulas are looked for in the rendered text, where a character
 * reference is the character again. An invisible space breaks the first three, an element the last. A colon opens an
 * emoji only where another one closes it, and an address only before two slashes.
 */
const LATE_MARKUP = /&#(?:64|35|36);|&#58;(?=(?:[\w-]|&#(?:43|95);)+&#58;|\/\/)|\bGH-(?=\d)/gi;
const LATE_MARKS: Readonly<Record<string, string>> = { "&#36;": "<span>&#36;</span>" };

function cut(text: string, limit: number): string {
  return cutText(plainText(text), limit);
}
