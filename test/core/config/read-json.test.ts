import fc from "fast-check";
import { expect, test } from "vitest";
import { readJson } from "../../../src/core/config/read-json.js";

test("any value is read as JSON reads it", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(readJson(text)).toEqual({ kind: "json", data: JSON.parse(text) });
    }),
  );
});

test("a byte-order mark at the start is forgiven", () => {
  expect(readJson('\uFEFF{"a":1}')).toEqual({ kind: "json", data: { a: 1 } });
});

test.each([
  { name: "an empty text", text: "" },
  { name: "a blank text", text: " \n\t" },
  { name: "a lone byte-order mark", text: "\uFEFF" },
])("$name has nothing in it", ({ text }) => {
  expect(readJson(text)).toEqual({ kind: "not-json", problem: "there is nothing in it" });
});

test.each([
  { name: "a comma too many in an object", text: '{"a":1,}', at: "line 1, column 8" },
  { name: "a comma too many in a list", text: "[1,2,]", at: "line 1, column 6" },
  { name: "a missing comma", text: '{\n  "a": 1\n  "b": 2\n}', at: "line 3, column 3" },
  { name: "a missing colon", text: '{"a", 1}', at: "line 1, column 5" },
  { name: "a name without quotes", text: "{a:1}", at: "line 1, column 2" },
  { name: "single quotes", text: "{'a':1}", at: "line 1, column 2" },
  { name: "a comment", text: '{\n  // why\n  "a": 1\n}', at: "line 2, column 3" },
  { name: "a word that is no value", text: '{"a":NaN}', at: "line 1, column 6" },
  { name: "a misspelt value", text: '{"a":\n tru}', at: "line 2, column 5" },
  { name: "a number with a leading zero", text: '{"a":01}', at: "line 1, column 7" },
  { name: "a lone minus", text: '{"a":-}', at: "line 1, column 7" },
  { name: "an unknown escape", text: '{"a":"\\q"}', at: "line 1, column 8" },
  { name: "a line break inside a string", text: '{"a":"x\ny"}', at: "line 1, column 8" },
  { name: "a text that ends too early", text: '{"a":1', at: "line 1, column 7" },
  { name: "a string that does not end", text: '["a",\n"b', at: "line 2, column 3" },
  { name: "something after the end", text: '{"a":1}\nmore', at: "line 2, column 1" },
])("$name is found where it stands", ({ text, at }) => {
  expect(readJson(text)).toMatchObject({
    kind: "not-json",
    problem: expect.stringMatching(new RegExp(`at ${at}$`)),
  });
});

test("the problem does not quote the text", () => {
  const problem = readJson('{"password":"hunter2" "a":1}');
  expect(JSON.stringify(problem)).not.toContain("hunter2");
});

test("in a list of plain values a stray mark is found at its own place", () => {
  const value = fc.oneof(
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom("x", "two words", "é"),
  );
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1 }),
      fc.array(value),
      fc.constantFrom("?", "}", ";"),
      (head, tail, stray) => {
        const before = `[${head.map((item) => `${JSON.stringify(item)},\n`).join("")}`;
        const text = `${before}${stray}${tail.map((item) => JSON.stringify(item)).join(",")}]`;
        expect(readJson(text)).toMatchObject({
          kind: "not-json",
          problem: expect.stringMatching(new RegExp(` at line ${head.length + 1}, column 1$`)),
        });
      },
    ),
  );
});

test.each([
  {
    name: "a number that breaks off in the middle of a text",
    text: '{"a": 1.,\n "b": 2}',
    place: "line 1, column 9",
  },
  { name: "more after the end", text: '{"a": 1 }\n}', place: "line 2, column 1" },
])("$name is placed where it is", ({ text, place }) => {
  const reading = readJson(text);
  expect(reading).toMatchObject({
    kind: "not-json",
    problem: expect.stringMatching(new RegExp(`\\w at ${place}$`)),
  });
  expect(reading).not.toMatchObject({ problem: expect.stringContaining("position") });
});
