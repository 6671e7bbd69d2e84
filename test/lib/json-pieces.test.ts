import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonPieces } from "../../src/lib/json-pieces.js";

test("the pieces together are what JSON.stringify gives", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect([...jsonPieces(value)].join("\n")).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test("members that are not there are left out", () => {
  expect([...jsonPieces({ a: undefined, b: [undefined, {}], c: { d: undefined } })].join("\n")).toBe(
    JSON.stringify({ a: undefined, b: [undefined, {}], c: {} }, null, 2),
  );
});

test("a long list comes in several pieces", () => {
  const pieces = [...jsonPieces({ list: new Array(50_000).fill("word") })];
  expect(pieces.length).toBeGreaterThan(5);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(200_000);
});
