import fc from "fast-check";
import { expect, test } from "vitest";
import { proseLines } from "../../src/lib/markdown.js";
import { LONG } from "../support/long.js";

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
  {
    name: "a comment that begins in a list hides what follows the list",
    markdown: "- <!--\n\n/koryph land",
    lines: [["/koryph land", false]],
  },
  {
    name: "a comment that ends in its list hides nothing after it",
    markdown: "- <!-- a -->\n\nb",
    lines: [["b", true]],
  },
  {
    name: "an element that is opened in a quote may reach beyond it",
    markdown: "> <details>\n\nb",
    lines: [["b", false]],
  },
  {
    name: "a closing tag inside a quoted attribute closes nothing",
    markdown: '<details>\n\n<i title="</details>">a</i>\n\nb',
    lines: [
      ['<i title="</details>">a</i>', false],
      ["b", false],
    ],
  },
  {
    name: "nor does one after a bracket that seems to end its tag",
    markdown: '<details>\n\n<i title="> </details>">a</i>\n\nb',
    lines: [
      ['<i title="> </details>">a</i>', false],
      ["b", false],
    ],
  },
  {
    name: "an attribute that never ends takes in what follows",
    markdown: '<div title="\n\nb',
    lines: [["b", false]],
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

test("what is nested deep is still a quote or a list", () => {
  expect(plainIn(`${"> ".repeat(30)}a\n\nb`)).toEqual(["b"]);
  expect(plainIn(`${"1. ".repeat(30)}a\n\nb`)).toEqual(["b"]);
  expect(plainIn(`${"- ".repeat(30)}\nb`)).toEqual(["b"]);
});

test.each([
  { name: "lines between two tildes are struck out", markdown: "a ~~b\nc\nd~~\ne", plain: ["a ~~b", "e"] },
  { name: "lines after a lone tilde are not", markdown: "about ~5\na", plain: ["about ~5", "a"] },
  { name: "lines between dollar signs are mathematics", markdown: "$$\na\n$$\nb", plain: ["$$", "b"] },
  { name: "mathematics may have blank lines", markdown: "$$\n\na\n\n$$\n\nb", plain: ["$$", "b"] },
  { name: "a table begins above its rule", markdown: "a\nb | c\n- | -\n", plain: ["a"] },
  { name: "a table goes on to the end of its paragraph", markdown: "a\nb|c\n-|-\nd\n\ne", plain: ["a", "e"] },
  { name: "a footnote has the lines beneath it", markdown: "[^1]: a b\nc\n\nd", plain: ["d"] },
  { name: "a footnote has indented paragraphs", markdown: "[^1]: a\n\n    b\nc\n\nd", plain: ["d"] },
  { name: "a signature ends the text", markdown: "a\n\n-- \nb\n\nc", plain: ["a"] },
  { name: "a signature in code does not", markdown: "```\n-- \n2.40\n```\na", plain: ["a"] },
  {
    name: "a tag that does not end takes the paragraph",
    markdown: 'a <b c="\nd\n\ne',
    plain: ['a <b c="', "e"],
  },
  { name: "a comparison is no tag", markdown: "a < b\nc", plain: ["a < b", "c"] },
  { name: "a comment cut off by a blank line goes on", markdown: "<div><!--\n\n</div>\n\na", plain: [] },
])("$name", ({ markdown, plain }) => expect(plainIn(markdown)).toEqual(plain));

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
    { numRuns: LONG ? 10_000 : 400 },
  );
});
