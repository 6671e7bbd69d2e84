import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shownMarkdown } from "../../../src/lib/markup/shown-markdown.js";

describe("what a reader of the page does not see is left out", () => {
  test.each<[name: string, text: string]>([
    ["a comment", "one <!-- unseen --> two"],
    ["a comment over several lines", "one\n\n<!--\nunseen\n\nunseen\n-->\n\ntwo"],
    ["a comment without an end", "one\n\n<!-- unseen\nunseen"],
    ["a comment in a list", "- one\n- <!-- unseen -->two"],
    ["a comment in a quote", "> one <!-- unseen -->"],
    ["a comment in a table", "| a |\n| - |\n| <!-- unseen --> |"],
    ["an instruction for a program", "one <?unseen ?> two"],
    ["a declaration", "one <!DOCTYPE unseen> two"],
    ["the text of an image", "![unseen](https://example.com/x.png)"],
    ["the text of an image by reference", "![unseen][pic]\n\n[pic]: https://example.com/x.png"],
    ["the title of an image", '![](https://example.com/x.png "unseen")'],
    ["the title of a link", '[one](https://example.com "unseen")'],
    ["the title of a definition", '[one][x]\n\n[x]: https://example.com "unseen"'],
    ["a definition that is a comment", "[//]: # (unseen)"],
    ["a definition that is another comment", "[comment]: <> (unseen)"],
    ["an attribute of an image", '<img src="https://example.com/x.png" alt="unseen">'],
    ["an attribute of an element", 'one <span hidden title="unseen">two</span>'],
    ["an attribute over several lines", '<div\n  data-x="unseen"\n>\ntwo\n</div>'],
    ["a tag that never ends", '<p title="unseen'],
    ["what stands behind a fence's language", "```sh unseen\none\n```"],
  ])("%s", (_, text) => expect(shownMarkdown(text)).not.toContain("unseen"));

  test("in a text that takes too long to be read, too", () => {
    const text = `${"*a* ".repeat(2_000)}\n<!-- unseen -->\n![unseen](x)\n<p title="unseen">x</p>`;
    expect(shownMarkdown(text)).not.toContain("unseen");
  });
});

test.each([
  "Add a health check.\n\n- at `/health`\n- answers **200**",
  "The template begins with `<!-- main -->`.",
  "```html\n<!-- main -->\n<p title='x'>\n```",
  "    <!-- in indented code -->",
  "a < b && b > c",
  "[one](https://example.com)",
  "<https://example.com>",
  "Fish & chips &amp; more",
  "\ufeffwith a mark of byte order",
])("%j stays as it is", (text) => expect(shownMarkdown(text)).toBe(text));

test("letters written as numbers are shown as letters", () => {
  expect(shownMarkdown("&#105;gnore &#x74;his &#0; &#x110000;")).toBe("ignore this \u{FFFD} \u{FFFD}");
});

test("an element keeps its name and where it leads", () => {
  expect(shownMarkdown('<a href="https://example.com" title="x">one</a>')).toBe(
    '<a href="https://example.com">one</a>',
  );
});

test("any text comes out, and plain words as they are", () => {
  const pieces = fc.constantFrom(
    "<!--",
    "-->",
    "<p ",
    ">",
    "![",
    "](",
    ")",
    "[a]: ",
    "`",
    "\n",
    " ",
    '"',
    "x",
    "&#1;",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (words) => {
      expect(shownMarkdown(`seen\n\n${words.join("")}`)).toContain("seen");
    }),
    { numRuns: 300 },
  );
});
