import { describe, expect, test } from "vitest";
import type { EventData, EventType } from "../../../../src/core/run/ledger/event-data.js";
import {
  eventReader,
  type LedgerEvent,
  readEvent,
  writeEvent,
} from "../../../../src/core/run/ledger/ledger-event.js";
import { emptyState, REDUCER_VERSION } from "../../../../src/core/run/ledger/ledger-state.js";
import { dispatching } from "../../../support/core/ledgers.js";
import { sha } from "../../../support/core/slots.js";

/** One of each: a type that is added without an example here does not compile. */
const EXAMPLES: { [T in EventType]: EventData<T> } = {
  "lease.claimed": { holder: "h", host: "box", ttl_seconds: 90 },
  "lease.renewed": { holder: "h" },
  "lease.released": { holder: "h" },
  "run.started": { mode: "rolling", engine_version: "1.2.3", budget_usd: null, resumed: false, review: true },
  "run.ended": { reason: "frontier-empty", code: 0 },
  "run.reporting": { head: sha("a") },
  "run.reported": { check: 7, head: sha("a"), open: true },
  "slot.dispatching": dispatching,
  "slot.started": { attempt: 1, process: { pid: 7, start: "123", boot: "b" } },
  "slot.stopping": { attempt: 1, why: "operator", force: false },
  "slot.ended": {
    attempt: 1,
    outcome: "done",
    detail: "two\nlines",
    session: "s",
    usage: { cost_usd: 0.25, cost_known: true },
    commits: 2,
    head: "abc",
  },
  "slot.queued": {
    reason: "died",
    counts: "death",
    start: "resume",
    not_before: 5,
    task: "stage:docs",
    report: "gate",
  },
  "slot.passed": { attempt: 1, note: "" },
  "slot.accepted": { branch: "main", from: sha("a"), base: sha("b"), head: sha("c"), commits: 1 },
  "slot.checked": { base: sha("b"), head: sha("c") },
  "slot.refused": { result: "protected", code: "", detail: "it changes CLAUDE.md", data: {} },
  "slot.reviewed": { attempt: 2, head: sha("c"), verdict: "degraded", note: "no answer" },
  "slot.finished": { status: "merge-pending", head: "abc", commits: 2, note: "by hand" },
  "slot.blocked": { reason: "three deaths", status: "conflict" },
  "slot.adopted": { from: "run-1" },
  "slot.dropped": { reason: "closed" },
  "runtime.paused": { runtime: "claude", model: null, kind: "limited", until: 5, times: 2, detail: "429" },
  "runtime.resumed": { runtime: "claude", model: "opus" },
  "land.requested": {
    branch: "main",
    base: sha("b"),
    head: sha("c"),
    method: "ff",
    by: "engine",
    allow_protected: false,
  },
  "land.rebased": { request: "01HF7YAT00000000000000000A", base: sha("b"), head: sha("d"), moved: true },
  "land.intended": { request: "01HF7YAT00000000000000000A", from: sha("b"), head: sha("d") },
  "land.landed": { request: "01HF7YAT00000000000000000A", from: sha("b"), head: sha("d") },
  "land.refused": {
    request: "01HF7YAT00000000000000000A",
    result: "error",
    code: "base_busy",
    detail: "it moved",
  },
  "land.settled": {},
  "pull.requested": { branch: "main", from: sha("a"), base: sha("b"), head: sha("c"), method: "ff" },
  "pull.pushing": { request: "r", head: sha("c") },
  "pull.opened": { request: "r", pull: 7, url: "https://example.com/7", base: sha("b"), head: sha("c") },
  "pull.closed": { pull: 7, reason: "closed by @ana" },
  "pull.reopened": { pull: 7 },
  "pull.merged": { pull: 7, from: sha("b"), head: sha("c") },
  "pull.approved": { pull: 7, head: sha("c"), via: "comment" },
  "pull.unapproved": { pull: 7, user: 12, why: "dismissed" },
  "pull.analysed": { pull: 7, head: sha("c"), verdict: "blocking", findings: 3 },
  "pull.landing": {
    pull: 7,
    branch: "main",
    base: sha("b"),
    head: sha("c"),
    method: "ff",
    allow_protected: false,
  },
  "job.requested": { kind: "review", pull: 7, head: sha("c"), base: sha("b") },
  "job.claimed": { job: "01K0000000000000000000000A", attempt: 1, run: 9 },
  "app.began": {},
  "app.took": { comment: "comment 7", thread: 3, user: "maria", run: 11, attempt: 1 },
  "app.kept": { key: "comment 7", place: 0, value: "{}" },
  "app.answered": { comment: "comment 7", reply: 9, counts: "yes", owed: null },
  "job.done": { job: "01K0000000000000000000000A", code: "clean" },
  "hold.placed": { reason: "wait for the review of #12" },
  "hold.lifted": {},
  "control.drain": {},
  "control.resize": { max: null, force: false },
  "control.nudge": { text: "look at \u0000 and \u2028" },
  "control.stop": { force: true },
  "control.retry": {},
  "control.inject": {},
  "control.refused": { run: "r-1", verb: "drain", code: "not_permitted", said: "maintain is needed" },
  "control.consumed": { request: "01HF7YAT00000000000000000A", note: "" },
  "ledger.rolled": {
    number: 2,
    previous: "a".repeat(40),
    reducer: REDUCER_VERSION,
    state: { ...emptyState(), slots: {} },
    purge: { dropped: ["x"], commits: [], ids: [] },
  },
};

const envelope = { id: "01HF7YAT00000000000000000A", at: "2023-11-14T22:13:20.000Z", actor: "ana" };
const base = { ...envelope, type: "control.nudge", bead: "b-1", data: { text: "hi" } };

describe("writing and reading", () => {
  test.each(Object.keys(EXAMPLES) as EventType[])("%s comes back as it was written, on one line", (type) => {
    const event = { ...envelope, run: "r", bead: "b-1", type, data: EXAMPLES[type] } as LedgerEvent;
    const line = writeEvent(event);
    expect(line).not.toContain("\n");
    expect(line).not.toContain("\u0000");
    expect(readEvent(line)).toEqual({ kind: "event", event });
  });

  test("the last line of a long ledger reads like the first one", () => {
    const lines = Object.entries(EXAMPLES).flatMap(([type, data]) => {
      const event = { ...envelope, run: "r", bead: "b-1", type, data, later: 1 };
      return [
        event,
        { ...event, data: { ...data, later: 2 } },
        { ...event, data: null },
        { ...event, data: {} },
      ];
    });
    const texts = [...lines, 7, null, { ...base, bead: ".." }]
      .map((line) => JSON.stringify(line))
      .concat("{");
    const read = eventReader();
    const first = texts.map(read);
    for (let times = 1; times < 2_000; times += 1) read(texts[0] ?? "");
    expect(texts.map(read)).toEqual(first);
    expect(first).toEqual(texts.map(readEvent));
  });

  test("an event we could not read ourselves is not written", () => {
    const wrong = { ...base, data: {} } as unknown as LedgerEvent;
    expect(() => writeEvent(wrong)).toThrow();
  });

  test.each<{ type: EventType; data: object; gives: object }>([
    {
      type: "slot.dispatching",
      data: { ...dispatching, task: undefined, asides: undefined },
      gives: { task: "implement", asides: [] },
    },
    {
      type: "slot.queued",
      data: { reason: "", counts: "none", start: "fresh", not_before: 0 },
      gives: { task: "implement", report: null },
    },
    {
      type: "slot.finished",
      data: { status: "merge-pending", head: "a", commits: 1 },
      gives: { note: "" },
    },
    { type: "slot.blocked", data: { reason: "" }, gives: { status: "blocked" } },
  ])("$type of a koryph that could not land yet is still read", ({ type, data, gives }) => {
    const line = JSON.stringify({ ...envelope, type, bead: "b-1", data });
    expect(readEvent(line)).toMatchObject({ kind: "event", event: { data: gives } });
  });

  test("fields a newer koryph added are passed over", () => {
    const reading = readEvent(JSON.stringify({ ...base, later: 1, data: { text: "hi", later: 2 } }));
    expect(reading).toMatchObject({ kind: "event", event: { data: { text: "hi" } } });
  });
});

describe("quarantine", () => {
  test.each<{ name: string; line: string; reason: string }>([
    { name: "what is not JSON", line: "Signed-off-by: x", reason: "not JSON" },
    { name: "an empty object", line: "{}", reason: "id:" },
    { name: "a list", line: "[]", reason: "expected object" },
    { name: "null", line: "null", reason: "expected object" },
    { name: "an id that is no ULID", line: JSON.stringify({ ...base, id: "1" }), reason: "id:" },
    {
      name: "an id in small letters",
      line: JSON.stringify({ ...base, id: base.id.toLowerCase() }),
      reason: "id:",
    },
    { name: "no time", line: JSON.stringify({ ...base, at: undefined }), reason: "at:" },
    { name: "an actor that is no text", line: JSON.stringify({ ...base, actor: {} }), reason: "actor:" },
    { name: "no type", line: JSON.stringify({ ...base, type: undefined }), reason: "type:" },
    { name: "a bead that is no text", line: JSON.stringify({ ...base, bead: 1 }), reason: "bead:" },
    {
      name: "a bead that no record can hold",
      line: JSON.stringify({ ...base, bead: "__proto__" }),
      reason: "bead:",
    },
    {
      name: "critical set to false",
      line: JSON.stringify({ ...base, critical: false }),
      reason: "critical:",
    },
    {
      name: "data that lacks a field",
      line: JSON.stringify({ ...base, data: {} }),
      reason: "control.nudge: text:",
    },
    {
      name: "no data",
      line: JSON.stringify({ ...base, data: undefined }),
      reason: "data:",
    },
    {
      name: "data of a wrong kind",
      line: JSON.stringify({
        ...base,
        type: "slot.finished",
        data: { status: "landed", head: "x", commits: 1 },
      }),
      reason: "slot.finished: status:",
    },
    {
      name: "a task that is neither implementing, a stage nor the review",
      line: JSON.stringify({
        ...base,
        type: "slot.dispatching",
        data: { ...dispatching, task: "stage:../up" },
      }),
      reason: "slot.dispatching: task:",
    },
    {
      name: "a landing of something that is no commit",
      line: JSON.stringify({
        ...base,
        type: "land.requested",
        data: { ...EXAMPLES["land.requested"], head: "--upload-pack=x" },
      }),
      reason: "land.requested: head:",
    },
    {
      name: "a landing by nobody koryph knows",
      line: JSON.stringify({
        ...base,
        type: "land.requested",
        data: { ...EXAMPLES["land.requested"], by: "root" },
      }),
      reason: "land.requested: by:",
    },
  ])("$name", ({ line, reason }) => {
    expect(readEvent(line)).toEqual({ kind: "quarantined", reason: expect.stringContaining(reason) });
  });
});

describe("what this koryph does not know", () => {
  test.each<{ name: string; given: object; gives: object }>([
    {
      name: "an unknown type is kept",
      given: { type: "slot.teleported" },
      gives: { kind: "unknown", type: "slot.teleported", critical: false },
    },
    {
      name: "a type named like a member of every object is unknown",
      given: { type: "toString" },
      gives: { kind: "unknown", type: "toString" },
    },
    {
      name: "a critical one says which version is needed",
      given: { type: "slot.teleported", critical: true, needs: "version 9" },
      gives: { kind: "unknown", critical: true, needs: "version 9" },
    },
    {
      name: "a critical one of a known type that cannot be read counts as unknown",
      given: { critical: true, data: {} },
      gives: { kind: "unknown", type: "control.nudge", critical: true, needs: "" },
    },
    {
      name: "a critical one that can be read is an event",
      given: { critical: true },
      gives: { kind: "event" },
    },
  ])("$name", ({ given, gives }) => {
    expect(readEvent(JSON.stringify({ ...base, ...given }))).toMatchObject(gives);
  });

  test("a roll from a later reducer is not taken for readable", () => {
    const data = { ...EXAMPLES["ledger.rolled"], reducer: REDUCER_VERSION + 1 };
    const line = JSON.stringify({ ...envelope, type: "ledger.rolled", critical: true, data });
    expect(readEvent(line)).toMatchObject({ kind: "unknown", critical: true });
  });
});

test("a line as long as a book is put aside, unless it is the roll that carries everything", () => {
  const envelope = { id: "01HZZZZZZZZZZZZZZZZZZZZZZZ", at: "2026-01-01T00:00:00Z", actor: "x" };
  const nudge = (text: string) =>
    JSON.stringify({ ...envelope, type: "control.nudge", bead: "b-1", data: { text } });
  expect(readEvent(nudge("x".repeat(100_000)))).toMatchObject({ kind: "event" });
  expect(readEvent(nudge("x".repeat(300_000)))).toMatchObject({ kind: "quarantined" });
});

test("an event about what is no bead is not written", () => {
  const envelope = { id: "01HZZZZZZZZZZZZZZZZZZZZZZZ", at: "2026-01-01T00:00:00Z", actor: "x" };
  const event = { ...envelope, type: "hold.lifted", bead: "foo/bar", data: {} } as const;
  expect(() => writeEvent(event)).toThrow("foo/bar");
});
