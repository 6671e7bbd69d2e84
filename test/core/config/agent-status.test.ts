import fc from "fast-check";
import { expect, test } from "vitest";
import { readAgentStatus } from "../../../src/core/config/agent-status.js";

test("a status is read as the contract shows it", () => {
  const text = '{ "state": "working", "step": "tests", "note": "n", "updated_at": "2026-01-31T12:00:00Z" }';
  expect(readAgentStatus(text)).toEqual({
    state: "working",
    word: "working",
    step: "tests",
    note: "n",
    updated_at: "2026-01-31T12:00:00Z",
  });
});

test.each([
  ["working", "working"],
  ["In progress", "working"],
  ["blocked", "blocked"],
  ["ERROR", "failed"],
  ["canceled", "failed"],
  ["cancelled", "failed"],
  ["success", "done"],
  ["done", "done"],
  ["completed", "done"],
])("state %s means %s", (word, state) => {
  expect(readAgentStatus(JSON.stringify({ state: word }))).toMatchObject({ state, step: "", note: "" });
});

test.each([
  ["nothing", ""],
  ["half a file", '{"state":"wor'],
  ["no state", '{"step":"x"}'],
  ["an empty state", '{"state":" "}'],
  ["a state of null", '{"state":null}'],
  ["a list", "[]"],
  ["null", "null"],
  ["more than a status can be", JSON.stringify({ state: "working", note: "x".repeat(70_000) })],
])("%s is unreadable", (_, text) =>
  expect(readAgentStatus(text)).toMatchObject({ state: "unreadable", step: "", note: "" }),
);

test.each([
  ["zen", "zen"],
  ["constructor", "constructor"],
  [7, "7"],
  [["done"], '["done"]'],
  [{ done: true }, '{"done":true}'],
])("state %j is unknown, and its word is kept", (word, expected) => {
  expect(readAgentStatus(JSON.stringify({ state: word, note: "n" }))).toMatchObject({
    state: "unknown",
    word: expected,
    note: "n",
  });
});

test("fields of another type are forgiven, long ones cut", () => {
  const status = readAgentStatus(
    JSON.stringify({ state: "blocked", step: 3, note: "y".repeat(900), updated_at: {} }),
  );
  expect(status).toMatchObject({ state: "blocked", step: "3", updated_at: "" });
  expect(status?.note).toHaveLength(500);
});

test("no text makes reading throw", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.jsonValue().map((value) => JSON.stringify(value)),
      ),
      (text) => {
        readAgentStatus(text);
      },
    ),
  );
});
