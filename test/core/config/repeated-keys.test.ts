import fc from "fast-check";
import { expect, test } from "vitest";
import { repeatedKeys } from "../../../src/core/config/repeated-keys.js";

const short = (text: string) =>
  repeatedKeys(text).map(({ path, line, column }) => `${path.join("/")} ${line}:${column}`);

test.each<{ name: string; text: string; found: string[] }>([
  { name: "a name twice", text: '{"a":1,\n "a":2}', found: ["a 2:2"] },
  { name: "a name three times is told each time", text: '{"a":1,"a":2,"a":3}', found: ["a 1:8", "a 1:14"] },
  { name: "an escaped name is the same name", text: '{"a":1,"\\u0061":2}', found: ["a 1:8"] },
  { name: "below another name", text: '{"x":{"a":{},"a":1}}', found: ["x/a 1:14"] },
  { name: "in the second of a list", text: '{"x":[{"a":1},{"a":1,"a":2}]}', found: ["x/1/a 1:22"] },
  { name: "after an inner object has ended", text: '{"a":{"b":[1,2]},"c":{"b":1},"a":1}', found: ["a 1:30"] },
  { name: "values are no names", text: '{"a":"a","b":"a","c":["a","a"]}', found: [] },
  {
    name: "text that looks like an object is text",
    text: '{"a":"{\\"b\\":1,\\"b\\":2}","c":"\\\\"}',
    found: [],
  },
  { name: "a plain value has no names", text: '"a,b"', found: [] },
])("$name", ({ text, found }) => expect(short(text)).toEqual(found));

test("what JSON writes repeats nothing, and what is written twice is found", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (object) => {
      const inner = JSON.stringify(object).slice(1, -1);
      expect(repeatedKeys(`{${inner}}`)).toEqual([]);
      expect(repeatedKeys(`{${inner},${inner}}`).map(({ path }) => path)).toEqual(
        Object.keys(object).map((key) => [key]),
      );
    }),
  );
});
