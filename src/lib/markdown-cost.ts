/**
 * What keeps reading markdown cheap. The parser's time grows with the square of how many list items, levels and
 * underlined headings there are, it makes many passes over every other mark and line, and it looks for the end of a tag,
 * a code span or a title up to the end of the paragraph, again for each of them. So all three are counted beforehand,
 * and a text with too many is not read.
 */

/** Fenced code may be left out of `read` and the numbers after it, but not of `characters`: GitHub takes no more. */
export const MOST_READ = {
  characters: 65_536,
  read: 16_384,
  items: 200,
  marks: 1_000,
  steps: 500_000,
} as const;

/** The marks of quotes and lists that a line begins with. */
const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?![^ \t\r\n])))+/gm;
const ITEM = /[-+*.)]/g;
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/gm;

/** What else may mean something to markdown: ends of lines, tabs, and marks in the text. */
const MARK = /\r\n?|[\n\t*_[\]`<>&\\]/g;

/** What makes the parser look ahead to the end of the paragraph. */
const SEARCH = /<|`+|\][(:]/g;

export function isTooLong(source: string): boolean {
  return source.length > MOST_READ.characters;
}

export function isTooCostly(source: string): boolean {
  return (
    source.length > MOST_READ.read ||
    count(source, MARK) > MOST_READ.marks ||
    itemsIn(source) > MOST_READ.items ||
    stepsIn(source) > MOST_READ.steps
  );
}

/** List items, at any depth, and underlined headings. */
function itemsIn(source: string): number {
  return count((source.match(CONTAINERS) ?? []).join(""), ITEM) + count(source, UNDERLINE);
}

/** At most how many characters are looked at in search of an end. */
function stepsIn(source: string): number {
  const paragraphs = source.replace(/\r\n?/g, "\n").split(/\n[ \t]*(?=\n)/);
  return paragraphs.reduce((sum, text) => sum + text.length * count(text, SEARCH), 0);
}

function count(source: string, what: RegExp): number {
  return source.match(what)?.length ?? 0;
}
