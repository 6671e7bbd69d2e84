import { expect, test } from "vitest";
import { keptFacts } from "../../../src/core/model/kept-facts.js";
import { readEvent, writeEvent } from "../../../src/core/run/ledger/ledger-event.js";

const blocked = {
  id: "01HZZZZZZZZZZZZZZZZZZZZZZZ",
  at: "2026-01-01T00:00:00Z",
  actor: "engine",
  type: "slot.blocked",
  bead: "b-1",
} as const;

test("what is kept always fits into an event, however much there was", () => {
  const data = keptFacts({
    files: Array.from({ length: 50 }, () => "x".repeat(5_000)),
    why: "y".repeat(50_000),
    times: 3,
  });
  const reading = readEvent(writeEvent({ ...blocked, data: { reason: "why", code: "refused", data } }));
  expect(reading).toMatchObject({ kind: "event", event: { data: { code: "refused", data } } });
  expect(data).toMatchObject({ files: { length: 10 }, times: 3 });
});

test.each([
  { name: "facts beyond measure", over: { data: { why: "x".repeat(10_000) } } },
  { name: "facts that are none", over: { data: "none" } },
  { name: "a code beyond measure", over: { code: "x".repeat(1_000) } },
])("$name are left out, and the event counts all the same", ({ over }) => {
  const line = JSON.stringify({ ...blocked, data: { reason: "why", status: "conflict", ...over } });
  expect(readEvent(line)).toMatchObject({
    kind: "event",
    event: { data: { reason: "why", status: "conflict" } },
  });
});
