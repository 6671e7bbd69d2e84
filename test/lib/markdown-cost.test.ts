import { describe, expect, test } from "vitest";
import { proseLines } from "../../src/lib/markdown.js";
import { isTooCostly, MOST_READ } from "../../src/lib/markdown-cost.js";
import { LONG } from "../support/long.js";

/** Each takes the parser seconds, and some of them a minute, when a comment is full of it. */
const FAMILIES = [
  ..."< <? <! <!-- <!A <![CDATA[ <a <b> </b> &amp; & [ ] ![ [] [a] * _ *_ **a** ` \\* > - 1.".split(" "),
  ..."[a]( [a][ [a](<b".split(" "),
  ...["`` ` ", '<a b="', "- ", "1. ", "* * ", "> ", '[a](b "', '[a]: b "', "[a]: b\n", "[a]: b\n\n"],
  ...["a\n=\n", "a\n-\n", "a\n", "a\n\n", "a  \n", "# a\n", "- a\n", "> a\n", "> a\n\n", "1. a\n"],
  ...["<div>\n\n", "    a\n\n", "\ta", "\t", "\n", "\r", "\r\n", "---\n", "*a* ", "a|b\n-|-\n"],
];
const LONGEST = MOST_READ.characters;

const filled = (piece: string, length: number) =>
  `/koryph help ${piece.repeat(Math.ceil(length / piece.length))}`.slice(0, length);

test.each(FAMILIES)("64 kB of %j are not read", (piece) => {
  expect(isTooCostly(filled(piece, LONGEST))).toBe(true);
  expect(proseLines(filled(piece, LONGEST))).toEqual([]);
  expect(proseLines(`${filled(piece, LONGEST - 10)}\n\na`)).toEqual([]);
});

test.each(["\n", "\r\n", "\r"])(
  "searches count up to the end of the paragraph, with lines that end in %j",
  (end) => {
    const lines = (count: number) => Array<string>(count).fill('<a b="aaaaaaaaaaaaaaaaaaaaaaaa');
    expect(isTooCostly(lines(100).join(end))).toBe(false);
    expect(isTooCostly(lines(200).join(end))).toBe(true);
    expect(isTooCostly(lines(200).join(end + end))).toBe(false);
  },
);

test("the bound on what is read is met by plain words", () => {
  expect(proseLines("a ".repeat(MOST_READ.read / 2))).toHaveLength(1);
  expect(proseLines(`${"a ".repeat(MOST_READ.read / 2)}b`)).toEqual([]);
});

describe("a log in a fence", () => {
  const log = "[x] <y> *z*\n";
  const fence = (lines: number) => `~~~ text\n${log.repeat(lines)}~~~`;
  const plainIn = (markdown: string) =>
    proseLines(markdown)
      .filter(({ plain }) => plain)
      .map(({ text }) => text);

  test.each([
    {
      name: "does not keep what is around it from being read",
      body: `a\n\n${fence(5_000)}\nb`,
      plain: ["a", "b"],
    },
    { name: "may be one of several", body: `${fence(2_000)}\na\n${fence(2_000)}\nb`, plain: ["a", "b"] },
    { name: "may end in a longer line", body: `~~~\n${log.repeat(999)}~~~~~\na`, plain: ["a"] },
    { name: "may hold other fences", body: `~~~~\n\`\`\`\n~~~\n${log.repeat(999)}~~~~\na`, plain: ["a"] },
    { name: "may be without an end", body: `a\n~~~\n${log.repeat(999)}b`, plain: ["a"] },
    { name: "counts in a comment that is too long", body: `a\n\n${fence(6_000)}`, plain: [] },
    { name: "has to be a fence", body: `<!--\n${fence(999)}\n-->\n\na`, plain: [] },
    { name: "has to stand by itself", body: `- a\n\n  ~~~\n${log.repeat(999)}~~~\n\na`, plain: [] },
    { name: "has to end where it seems to", body: `~~~\n     ~~~\n${log.repeat(999)}\na`, plain: [] },
  ])("$name", ({ body, plain }) => expect(plainIn(body)).toEqual(plain));

  test("folds to what the whole text reads as", () => {
    const body = (inside: string) => `a\r\n\`\`\`\r\n${inside}\`\`\`\r\nb *c\r\nd*\r\n`;
    expect(proseLines(body(log.repeat(999)))).toEqual(proseLines(body("x\r\n")));
  });
});

/** The greatest length at which a family is still read. */
function mostRead(piece: string): number {
  let [low, high] = [0, LONGEST];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isTooCostly(filled(piece, middle))) high = middle - 1;
    else low = middle;
  }
  return low;
}

describe.runIf(LONG)("twice as much of it takes less than three times as long", () => {
  /** What the processor spends on it, which other processes lengthen less than the time that passes. */
  const millisecondsOf = (markdown: string) =>
    Math.min(
      ...Array.from({ length: 7 }, () => {
        const from = process.cpuUsage();
        proseLines(markdown);
        const { user, system } = process.cpuUsage(from);
        return (user + system) / 1_000;
      }),
    );

  /** What is read at all may grow faster, as long as it stays beneath this. */
  const SMALL = 40;

  test.each(FAMILIES)("%j", (piece) => {
    for (const most of [mostRead(piece), MOST_READ.read, MOST_READ.read * 2, LONGEST]) {
      const half = millisecondsOf(filled(piece, most / 2));
      expect(millisecondsOf(filled(piece, most))).toBeLessThan(3 * Math.max(half, SMALL));
    }
  });
});
