import { describe, expect, test } from "vitest";
import type { DecidedEvent } from "../../../../src/core/run/ledger/decided-event.js";
import { readEvent, writeEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import { consumedEvent, wordEvent } from "../../../../src/engine/word-event.js";

const stamp = { id: "0".repeat(26), at: "2026-01-01T00:00:00Z", actor: "engine" };
const of = { bead: "b-1", run: "r-1" };

/** What the ledger's line holds, and whether it can be read again. */
function written(event: DecidedEvent) {
  const line = writeEvent({ ...wordEvent(event), ...stamp });
  expect(readEvent(line).kind).toBe("event");
  return JSON.parse(line).data;
}

describe("an event that says why", () => {
  test("has a sentence for people, and code and data for programs", () => {
    const why = { code: "agent-says", state: "blocked", note: "no key" } as const;
    expect(written({ ...of, type: "slot.blocked", why, data: { status: "blocked" } })).toEqual({
      status: "blocked",
      reason: "the agent says blocked: no key",
      code: "agent-says",
      data: { state: "blocked", note: "no key" },
    });
  });

  test("has a sentence alone where the words are somebody else's", () => {
    const event = { ...of, type: "slot.passed", why: "review passed", data: { attempt: 1 } } as const;
    expect(written(event)).toEqual({ attempt: 1, note: "review passed" });
  });

  test("keeps reasons inside reasons, and cuts what is long in its data alone", () => {
    const detail = "x".repeat(2_000);
    const last = { code: "agent-ended", outcome: "failed", detail } as const;
    const why = { code: "too-many-deaths", times: 3, task: null, last } as const;
    const { reason, data } = written({ ...of, type: "slot.blocked", why, data: {} });
    expect(reason).toBe(`3 attempts failed, the last: failed: ${detail}`);
    expect(data).toMatchObject({ times: 3, task: null, last: { code: "agent-ended", outcome: "failed" } });
    expect(data.last.detail.length).toBeLessThanOrEqual(500);
  });
});

test("the answer to a request is kept in both forms", () => {
  const line = writeEvent({ ...consumedEvent("q-1", { code: "taken", status: "queued" }, "r-1"), ...stamp });
  expect(JSON.parse(line).data).toEqual({
    request: "q-1",
    note: "it is queued, so a run has it already",
    code: "taken",
    data: { status: "queued" },
  });
});

test.each<{ name: string; given: object }>([
  { name: "from before it was kept", given: {} },
  { name: "with a code that is none", given: { code: 7 } },
  { name: "with a code as long as a book", given: { code: "x".repeat(1_000) } },
  { name: "with data that is none", given: { data: "words" } },
  { name: "with more data than anybody needs", given: { data: { detail: "x".repeat(9_000) } } },
])("an event $name counts all the same, without it", ({ given }) => {
  const data = { reason: "why", status: "blocked", ...given };
  const reading = readEvent(JSON.stringify({ ...stamp, ...of, type: "slot.blocked", data }));
  expect(reading).toMatchObject({ kind: "event", event: { data: { reason: "why", status: "blocked" } } });
  expect(reading.kind === "event" && JSON.parse(JSON.stringify(reading.event.data))).toEqual({
    reason: "why",
    status: "blocked",
  });
});
