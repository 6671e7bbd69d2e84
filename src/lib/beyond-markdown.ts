/**
 * What GitHub and mail programs take out of the running text and CommonMark does not know. These rules go by lines and
 * rather take out too much: a table, struck text and mathematics, footnotes, signatures, and tags that never end.
 */

/** Without a bar or a colon it would be the underline of a heading. */
const TABLE_RULE = /^(?=.*-)(?=.*[|:])[-:| \t]+$/;
const FOOTNOTE = /^ {0,3}\[\^[^\]]+\]:/;
const INDENTED = /^(?: {4}| {0,3}\t)/;
const MATHEMATICS = "$$";
const SIGNATURE = "-- ";

/**
 * For each line of a paragraph, whether it is still running text. The rule of a table may look like a list to the
 * parser, and is then the line beneath the paragraph.
 */
export function runningLines(lines: readonly string[], beneath: string): boolean[] {
  const rule = [...lines, beneath].findIndex((line, index) => index > 0 && TABLE_RULE.test(line));
  const table = rule === -1 ? lines.length : rule - 1;
  const tag = lines.findIndex((line) => /<[a-z/!?]/i.test(line.slice(line.lastIndexOf(">") + 1)));
  const between = [/~/, /\$\$/].map((mark) => ({
    first: lines.findIndex((line) => mark.test(line)),
    last: lines.findLastIndex((line) => mark.test(line)),
  }));
  return lines.map(
    (_, index) =>
      index < table &&
      (tag === -1 || index <= tag) &&
      between.every(({ first, last }) => index <= first || index > last),
  );
}

/** For each line of a text, whether it is in no footnote, not between `$$` and `$$`, and not below a signature. */
export function ownLines(lines: readonly string[]): boolean[] {
  const lastMathematics = lines.findLastIndex((line) => line.includes(MATHEMATICS));
  let mathematics = false;
  let footnote = false;
  let signed = false;
  return lines.map((line, index) => {
    const starts = line.trim() !== "" && lines[index - 1]?.trim() === "" && !INDENTED.test(line);
    footnote = FOOTNOTE.test(line) || (footnote && !starts);
    signed ||= line === SIGNATURE;
    const between = mathematics && index <= lastMathematics;
    if (line.split(MATHEMATICS).length % 2 === 0) mathematics = !mathematics;
    return !between && !footnote && !signed;
  });
}
