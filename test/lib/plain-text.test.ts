import fc from "fast-check";
import { expect, test } from "vitest";
import { plainText } from "../../src/lib/plain-text.js";

test.each([
  { name: "plain text stays", text: "Add a health check", expected: "Add a health check" },
  { name: "letters of any script stay", text: "Prüfe 健康 🩺", expected: "Prüfe 健康 🩺" },
  { name: "line breaks become one space", text: "a\r\n\n  b", expected: "a b" },
  { name: "a tab becomes a space", text: "a\tb", expected: "a b" },
  { name: "blanks at the ends go", text: "  a ", expected: "a" },
  { name: "a colour is disarmed", text: "\u001b[31mred", expected: "\u{FFFD}[31mred" },
  { name: "a one-byte escape is disarmed", text: "a\u009b31mb", expected: "a\u{FFFD}31mb" },
  { name: "a backspace is shown", text: "a\bb", expected: "a\u{FFFD}b" },
  { name: "a delete is shown", text: "a\u007fb", expected: "a\u{FFFD}b" },
  { name: "a null is shown", text: "a\0b", expected: "a\u{FFFD}b" },
  { name: "text that turns direction is shown", text: "a\u202eb", expected: "a\u{FFFD}b" },
  { name: "an isolate is shown", text: "a\u2066b", expected: "a\u{FFFD}b" },
  { name: "a zero-width space is shown", text: "a\u200bb", expected: "a\u{FFFD}b" },
  { name: "a soft hyphen is shown", text: "a\u00adb", expected: "a\u{FFFD}b" },
  { name: "an invisible tag is shown", text: "a\u{e0041}b", expected: "a\u{FFFD}b" },
  { name: "an empty text stays empty", text: "", expected: "" },
])("$name", ({ text, expected }) => expect(plainText(text)).toBe(expected));

test("whatever comes in, one line without control characters goes out", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(plainText(text)).not.toMatch(/\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});
