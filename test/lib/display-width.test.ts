import { expect, test } from "vitest";
import { cutToWidth, displayWidth } from "../../src/lib/display-width.js";
import { table } from "../../src/lib/table.js";

test.each([
  { name: "letters", text: "abc", width: 3 },
  { name: "accents that stand for themselves", text: "e\u0301", width: 1 },
  { name: "Chinese", text: "漢字", width: 4 },
  { name: "an emoji", text: "🚀", width: 2 },
  { name: "colours take no place", text: "\u001b[33mab\u001b[39m", width: 2 },
])("$name", ({ text, width }) => expect(displayWidth(text)).toBe(width));

test.each([
  { text: "abcdef", columns: 6, gives: "abcdef" },
  { text: "abcdef", columns: 5, gives: "abcd…" },
  { text: "漢字漢字", columns: 8, gives: "漢字漢字" },
  { text: "漢字漢字", columns: 7, gives: "漢字漢…" },
  { text: "漢字漢字", columns: 6, gives: "漢字…" },
  { text: "abc", columns: 0, gives: "" },
])("$text in $columns columns is $gives", ({ text, columns, gives }) => {
  expect(cutToWidth(text, columns)).toBe(gives);
  expect(displayWidth(cutToWidth(text, columns))).toBeLessThanOrEqual(columns);
});

test("columns stand below one another whatever is in them", () => {
  expect(
    table([
      ["漢", "x"],
      ["\u001b[1mab\u001b[22m", "x"],
      ["abc", "x"],
    ]),
  ).toEqual(["漢   x", "\u001b[1mab\u001b[22m   x", "abc  x"]);
});
