import { expect, test } from "vitest";
import { canonicalJson } from "../../../src/core/receipts/canonical-json.js";
import { PAYLOAD_TYPE, preAuthEncoding } from "../../../src/core/receipts/envelope.js";
import { readStatement } from "../../../src/core/receipts/read-statement.js";
import { statement } from "../../support/core/receipts.js";

const text = canonicalJson(statement());

function found(payload: string | null): string {
  const reading = readStatement(payload);
  return reading.kind === "read" ? "read" : JSON.stringify(reading.finding);
}

test("what was written is read", () => {
  expect(readStatement(text)).toEqual({ kind: "read", statement: statement() });
});

test.each<{ name: string; payload: string | null; says: string }>([
  { name: "no file", payload: null, says: "no-statement" },
  { name: "no JSON", payload: "{", says: "not JSON" },
  { name: "JSON of something else", payload: "[]", says: "malformed" },
  {
    name: "another program's statement",
    payload: text.replace("urn:koryph:landing:v1", "urn:koryph:landing:v2"),
    says: '"unknown-format","found":"urn:koryph:landing:v2"',
  },
  { name: "a member too many", payload: text.replace('"bead":', '"beads":1,"bead":'), says: "malformed" },
  { name: "a member twice", payload: text.replace('"run":', '"run":"x","run":'), says: "not canonical" },
  { name: "white space", payload: text.replace('"run":', '"run": '), says: "not canonical" },
  { name: "no hash", payload: text.replace(/"head":"\w+"/, '"head":"main"'), says: "head: Invalid" },
  { name: "a time that is none", payload: text.replace(/"at":"[^"]+"/, '"at":"now"'), says: "predicate.at" },
])("$name cannot be read", ({ payload, says }) => {
  expect(found(payload)).toContain(says);
});

test("what is signed names the kind and the length of the payload, so that none can pass for another", () => {
  const signed = new TextDecoder().decode(preAuthEncoding(new TextEncoder().encode("hé")));
  expect(signed).toBe(`DSSEv1 ${PAYLOAD_TYPE.length} application/vnd.in-toto+json 3 hé`);
});

test("a value has one text, whatever order its members were made in", () => {
  expect(canonicalJson({ b: [1, "é", null], a: { y: true, x: 1e21 }, c: undefined })).toBe(
    '{"a":{"x":1e+21,"y":true},"b":[1,"é",null]}',
  );
  expect(() => canonicalJson({ a: Number.NaN })).toThrow(TypeError);
});
