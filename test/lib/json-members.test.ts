import fc from "fast-check";
import { expect, test } from "vitest";
import { memberText, withElement, withMember } from "../../src/lib/json-members.js";

test.each([
  {
    name: "a value in the middle",
    object: '{"a":1, "b" : "x" ,"c":3}',
    key: "b",
    after: '{"a":1, "b" : 0 ,"c":3}',
  },
  { name: "an absent key", object: '{"a":1 }', key: "b", after: '{"a":1,"b":0 }' },
  { name: "an empty object", object: " {} ", key: "b", after: ' {"b":0} ' },
  {
    name: "a key inside another value",
    object: '{"a":{"b":1},"b":2}',
    key: "b",
    after: '{"a":{"b":1},"b":0}',
  },
  {
    name: "a key inside a text",
    object: '{"a":"\\"b\\":1","c":2}',
    key: "b",
    after: '{"a":"\\"b\\":1","c":2,"b":0}',
  },
  { name: "a key written with escapes", object: '{"\\u0062":1}', key: "b", after: '{"\\u0062":0}' },
  { name: "the last of a repeated key", object: '{"b":1,"b":2}', key: "b", after: '{"b":1,"b":0}' },
])("$name is set and nothing else moves", ({ object, key, after }) => {
  expect(withMember(object, key, "0")).toBe(after);
});

test.each([
  { name: "an empty list", array: "[ ]", after: "[ 1]" },
  { name: "a list", array: '[{"a":"]"} ]', after: '[{"a":"]"} ,1]' },
])("$name takes one more", ({ array, after }) => {
  expect(withElement(array, "1")).toBe(after);
});

test("an absent member is null", () => {
  expect(memberText('{"a":{"b":1}}', "b")).toBeNull();
});

test("whatever the object, reading a set member gives it back and the others are as they were", () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(objects, fc.string(), fc.jsonValue(), fc.nat(4), (object, key, value, indent) => {
      const changed = withMember(JSON.stringify(object, null, indent), key, JSON.stringify(value));
      const expected = JSON.parse(
        JSON.stringify([...Object.entries(object).filter(([k]) => k !== key), [key, value]]),
      );
      expect(new Map(Object.entries(JSON.parse(changed)))).toEqual(new Map(expected));
      expect(memberText(changed, key)).toBe(JSON.stringify(value));
    }),
  );
});
