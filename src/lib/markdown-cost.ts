/**
 * What keeps reading markdown linear. The parser's time grows with the square of four things: how deep quotes and
 * lists are nested, how many items lists have, how many marks of emphasis and links there are, and how many headings
 * are underlined.
 */

const DEEPEST = 4;

/** A text with more characters (GitHub takes no longer comment) or list items is not read at all. */
export const MOST_READ = { characters: 65_536, items: 2_000 } as const;

/** One with more marks of emphasis and links, or more underlined headings, is read without them. */
export const MOST_TANGLED = { marks: 1_000, underlines: 100 } as const;

/** The parser's names of what is switched off for a text that is tangled. */
export const COSTLY = ["attention", "labelStartLink", "labelStartImage", "labelEnd", "setextUnderline"];

const DEEP = new RegExp(`^((?:[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])[ \\t])){${DEEPEST}})(.*)$`, "gm");
const RULE = /^[ \t]*([-*])(?:[ \t]*\1)*[ \t]*$/;

/**
 * The same text, as long as before, with what is nested too deep made one plain word. What stands outside of quotes
 * and lists stays outside, but for a line right beneath such a word, which now counts as its continuation.
 */
export function flattened(source: string): string {
  return source.replace(DEEP, (line, marks: string, rest: string) =>
    RULE.test(line) || rest.trim() === "" ? line : marks + "x".repeat(rest.length),
  );
}

export function isTooLong(source: string): boolean {
  if (source.length > MOST_READ.characters) return true;
  let items = 0;
  for (const [marks] of source.matchAll(/^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?![^ \t\r\n])))+/gm)) {
    items += marks.match(/[-+*.)]/g)?.length ?? 0;
    if (items > MOST_READ.items) return true;
  }
  return false;
}

/** Whether it has to be read without the costly constructs. */
export function isTangled(source: string): boolean {
  return (
    hasMore(source, /\*+|_+|[[\]]/g, MOST_TANGLED.marks) ||
    hasMore(source, /^[ \t>]*(?:=+|-+)[ \t]*$/gm, MOST_TANGLED.underlines)
  );
}

/** The line that makes a heading of the paragraph above it. */
export function isUnderline(line: string): boolean {
  return /^(?:=+|-+)$/.test(line);
}

function hasMore(source: string, what: RegExp, most: number): boolean {
  let found = 0;
  for (const _ of source.matchAll(what)) {
    found += 1;
    if (found > most) return true;
  }
  return false;
}
