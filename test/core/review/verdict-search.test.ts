import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonObjects } from "../../../src/core/review/find-json-objects.js";
import { readVerdict } from "../../../src/core/review/read-verdict.js";
import { LONG } from "../../support/long.js";

/** Deeper than any stack, and a search that goes through it again for each character would not end. */
const HOSTILE_LENGTH = LONG ? 300_000 : 60_000;

const texts = (text: string) =>
  findJsonObjects(text, "k").found.map(({ start, end }) => text.slice(start, end));

test.each<{ name: string; text: string; found: readonly string[] }>([
  {
    name: "objects with the key",
    text: 'a {"k":1} b {"x":2} c { "k" : [] }',
    found: ['{"k":1}', '{ "k" : [] }'],
  },
  { name: "the outermost of two", text: '{"k":{"k":1}}', found: ['{"k":{"k":1}}'] },
  {
    name: "the inner one where the outer has no key",
    text: '{"x":[{"k":1},{"k":2}]}',
    found: ['{"k":1}', '{"k":2}'],
  },
  { name: "the inner one where the outer is broken", text: '{"k":{"k":1}, oops}', found: ['{"k":1}'] },
  { name: "nothing in a string", text: '{"x":"{\\"k\\":1}"}', found: [] },
  { name: "nothing where the key is a value", text: '{"x":"k"} ["k"]', found: [] },
  { name: "nothing with a trailing comma", text: '{"k":1,}', found: [] },
  { name: "nothing with single quotes", text: "{'k':1}", found: [] },
  { name: "nothing with a line break in a string", text: '{"k":"a\nb"}', found: [] },
  { name: "nothing with a wrong escape", text: '{"k":"\\x"}', found: [] },
  { name: "nothing with a wrong number", text: '{"k":01} {"k":1.} {"k":+1} {"k":1e}', found: [] },
  {
    name: "all kinds of values",
    text: '{"k":[-1.5e+3,0,true,false,null,"\\u00e9\\n",{}]}',
    found: ['{"k":[-1.5e+3,0,true,false,null,"\\u00e9\\n",{}]}'],
  },
  { name: "one behind a quote that opens too early", text: '{"so {"k":1}', found: ['{"k":1}'] },
  { name: "one behind brackets that do not match", text: '{"x":[}{"k":1}', found: ['{"k":1}'] },
])("finds $name", ({ text, found }) => expect(texts(text)).toEqual(found));

const nasty = fc.string({
  unit: fc.constantFrom("{", "}", "[", "]", '"', "k", ":", ",", "\\", " ", "\n", "1", "true"),
});

test("what is found is JSON and has the key", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        nasty,
        fc.array(fc.oneof(nasty, fc.constant('{"k":'), fc.constant('"k":1}'))).map((parts) => parts.join("")),
      ),
      (text) => {
        for (const found of texts(text)) expect(Object.hasOwn(JSON.parse(found) as object, "k")).toBe(true);
      },
    ),
    { numRuns: LONG ? 2_000 : 400 },
  );
});

test("an object on a line of its own is found in any surroundings", () => {
  fc.assert(
    fc.property(nasty, fc.jsonValue(), nasty, (before, value, after) => {
      const object = JSON.stringify({ k: value });
      const text = `${before}\n${object}${after}`;
      const start = before.length + 1;
      const { found } = findJsonObjects(text, "k");
      expect(found.some((place) => place.start <= start && place.end >= start + object.length)).toBe(true);
    }),
    { numRuns: LONG ? 2_000 : 400 },
  );
});

test("as many as there are objects in a JSON text are found", () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.constantFrom("k", "x", "y"), fc.string())), (objects) => {
      expect(texts(JSON.stringify(objects))).toHaveLength(
        objects.filter((each) => Object.hasOwn(each, "k")).length,
      );
    }),
  );
});

// Read anew from each brace, any of these would take minutes.
test.each([
  "{",
  "[",
  '"',
  "\\",
  "`",
  "{}",
  '{"',
  '{"a',
  '{"a"',
  '{"a":',
  '{"a":[',
  '{"a":"',
  '{"a":1,',
  '{"blocking":',
  '{"blocking":"no"}',
  '{"{"   ',
  '{ "a" : "{ \\"a\\" : ',
  "```json\n",
  "```json\n{\n```\n",
  '{"is_error":',
  '{"is_error":false,"result":"{}"}',
  "1234567890",
  '{"a":1234567890',
  "{ \t",
])("many thousand characters of %j are read through", (piece) => {
  const text = piece.repeat(Math.ceil(HOSTILE_LENGTH / piece.length));
  for (const hostile of [text, `{"blocking":${text}`, `{"a":"${text}`, `${text}{"blocking":1}`])
    expect(readVerdict({ text: hostile, structured: null }, []).kind).toBe("degraded");
});

test("many thousand characters of verdicts that block are read through, and block", () => {
  const reading = readVerdict({ text: '{"blocking":true}'.repeat(20_000), structured: null }, []);
  expect(reading).toMatchObject({ kind: "verdict", verdict: { blocking: true } });
});
