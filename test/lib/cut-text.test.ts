import { expect, test } from "vitest";
import { cutText } from "../../src/lib/cut-text.js";

test.each([
  { text: "four", longest: 4, expected: "four" },
  { text: "fives", longest: 4, expected: "fiv…" },
  { text: "", longest: 4, expected: "" },
  { text: "😀😀😀😀", longest: 4, expected: "😀😀😀😀" },
  { text: "😀😀😀😀😀", longest: 4, expected: "😀😀😀…" },
])("$text in $longest is $expected", ({ text, longest, expected }) => {
  expect(cutText(text, longest)).toBe(expected);
});
