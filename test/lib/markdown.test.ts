import fc from "fast-check";
import { expect, test } from "vitest";
import { proseLines } from "../../src/lib/markdown.js";

const plainIn = (markdown: string) =>
  proseLines(markdown)
    .filter(({ plain }) => plain)
    .map(({ text }) => text);

test.each<{ name: string; markdown: string; lines: [text: string, plain: boolean][] }>([
  { name: "nothing has no lines", markdown: "", lines: [] },
  {
    name: "a paragraph has its lines",
    markdown: "a\nb",
    lines: [
      ["a", true],
      ["b", true],
    ],
  },
  {
    name: "a line is as typed",
    markdown: "a `b` [c](d) \\* &amp;",
    lines: [["a `b` [c](d) \\* &amp;", true]],
  },
  {
    name: "blanks around a line go",
    markdown: "  a \n b\t",
    lines: [
      ["a", true],
      ["b", true],
    ],
  },
  {
    name: "a tab inside a line stays",
    markdown: "a\tb\nc",
    lines: [
      ["a\tb", true],
      ["c", true],
    ],
  },
  {
    name: "a backslash that breaks the line goes",
    markdown: "a\\\nb",
    lines: [
      ["a", true],
      ["b", true],
    ],
  },
  { name: "a backslash at the end of all stays", markdown: "a\\", lines: [["a\\", true]] },
  {
    name: "a line indented too far is not plain",
    markdown: "a\n    b",
    lines: [
      ["a", true],
      ["b", false],
    ],
  },
  { name: "a line that begins with code is not plain", markdown: "`a` b", lines: [["`a` b", false]] },
  {
    name: "a line inside code is not plain",
    markdown: "a `b\nc` d\ne",
    lines: [
      ["a `b", true],
      ["c` d", false],
      ["e", true],
    ],
  },
  {
    name: "a line inside an element is not plain",
    markdown: "a <b>\nc\n</b>\nd",
    lines: [
      ["a <b>", true],
      ["c", false],
      ["</b>", false],
      ["d", true],
    ],
  },
  {
    name: "an element does not outlive its paragraph",
    markdown: "a <b>\n\nc",
    lines: [
      ["a <b>", true],
      ["c", true],
    ],
  },
  {
    name: "a container does",
    markdown: "a <details>\n\nc",
    lines: [
      ["a <details>", true],
      ["c", false],
    ],
  },
  {
    name: "a container closed inside emphasis is closed",
    markdown: "a <details> *b</details>*\n\nc",
    lines: [
      ["a <details> *b</details>*", true],
      ["c", true],
    ],
  },
  { name: "a heading has no lines", markdown: "# a\n\nb\n=\n", lines: [] },
  { name: "a quote, a list and code have none", markdown: "> a\n\n- b\n\n```\nc\n```\n", lines: [] },
])("$name", ({ markdown, lines }) => {
  expect(proseLines(markdown)).toEqual(lines.map(([text, plain]) => ({ text, plain })));
});

/** Makes the reader leave out what is costly, without touching what follows. */
const TANGLE = `~~~\n${"_ ".repeat(1_001)}\n~~~\n\n`;

test.each([
  { name: "a paragraph of its own is still read", markdown: "a\nb", plain: ["a", "b"] },
  { name: "a line after a mark of emphasis is not", markdown: "a *b\nc\nd*", plain: ["a *b"] },
  { name: "a line after a bracket is not", markdown: "a [b\nc](d)", plain: ["a [b"] },
  { name: "a mark matters to its own paragraph only", markdown: "a *b\n\nc", plain: ["a *b", "c"] },
  { name: "what is underlined is not", markdown: "a\nb\n==", plain: [] },
  { name: "what is underlined with hyphens is not", markdown: "a\nb\n---", plain: [] },
  { name: "a rule after a blank line underlines nothing", markdown: "a\n\n---", plain: ["a"] },
])("in a tangled text $name", ({ markdown, plain }) => expect(plainIn(TANGLE + markdown)).toEqual(plain));

test("a text that is longer than a comment can be is not read", () => {
  expect(plainIn("a ".repeat(32_768))).toHaveLength(1);
  expect(plainIn(`${"a ".repeat(32_768)}b`)).toEqual([]);
});

test("what is nested too deep is still a quote or a list", () => {
  expect(plainIn(`${"> ".repeat(30)}a\n\nb`)).toEqual(["b"]);
  expect(plainIn(`${"1. ".repeat(30)}a\n\nb`)).toEqual(["b"]);
  expect(plainIn(`${"- ".repeat(30)}\nb`)).toEqual(["b"]);
});

/** Without bounds on its cost each of these takes from ten seconds to minutes. */
const COSTLY = [">", "1. ", "*_", "[a](", "a\n=\n"];
const LONG = [
  "> ",
  "- a\n",
  "[",
  "![",
  "[a]: b\n",
  "a\n",
  "`` ` ",
  "<",
  "<!--",
  "<b> ",
  "&",
  "\\",
  "\r",
  "\t",
  "a",
];

test.each(process.env.KORYPH_LONG ? [...COSTLY, ...LONG] : COSTLY)(
  "64 kB of %j are read in the end",
  (piece) => {
    expect(() => proseLines(piece.repeat(65_536).slice(0, 65_536))).not.toThrow();
  },
);

test("whatever comes in, lines without line breaks go out, in their order", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (markdown) => {
      let at = 0;
      for (const { text } of proseLines(markdown)) {
        expect(text).not.toMatch(/[\r\n]/);
        at = markdown.indexOf(text, at);
        expect(at).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: process.env.KORYPH_LONG ? 10_000 : 1_000 },
  );
});
