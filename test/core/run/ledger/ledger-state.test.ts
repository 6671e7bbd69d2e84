import { describe, expect, test } from "vitest";
import { copyState } from "../../../../src/core/run/ledger/copy-state.js";
import type { EventData, EventType } from "../../../../src/core/run/ledger/event-data.js";
import { fold } from "../../../../src/core/run/ledger/fold/fold.js";
import { type LedgerEvent, type NewEvent, readEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import {
  emptyState,
  type LedgerState,
  REDUCER_VERSION,
} from "../../../../src/core/run/ledger/ledger-state.js";
import { chainLength, ROLL_EVERY, rollDue } from "../../../../src/core/run/ledger/roll-due.js";
import { dispatching } from "../../../support/core/ledgers.js";
import { append } from "../../../support/core/slots.js";

let made = 0;

function event<T extends EventType>(
  type: T,
  data: EventData<T>,
  rest: { bead?: string; run?: string; id?: string; lease?: string } = { bead: "b", run: "r" },
): LedgerEvent {
  made += 1;
  const id = `01HF7YAT00${String(made).padStart(16, "0")}`;
  return { id, at: `t${made}`, actor: "ana", type, data, ...rest } as LedgerEvent;
}

function folded(...events: LedgerEvent[]): LedgerState {
  const state = emptyState();
  for (const each of events) fold(state, { kind: "event", event: each });
  return state;
}

const dispatch = (attempt: number, over: Partial<EventData<"slot.dispatching">> = {}) =>
  event("slot.dispatching", { ...dispatching, attempt, ...over });
const started = (attempt: number) =>
  event("slot.started", { attempt, process: { pid: attempt, start: "s", boot: "b" } });
const ended = (attempt: number, over: Partial<EventData<"slot.ended">> = {}) =>
  event("slot.ended", {
    attempt,
    outcome: "done",
    detail: "",
    session: null,
    usage: { cost_usd: 1, cost_known: true },
    commits: 1,
    head: "h1",
    ...over,
  });
const queued = (counts: "death" | "limit" | "none" = "none") =>
  event("slot.queued", {
    reason: "again",
    counts,
    start: "resume",
    not_before: 9,
    task: "implement",
    report: null,
  });
const finished = () => event("slot.finished", { status: "merge-pending", head: "h2", commits: 2, note: "" });
const blocked = () => event("slot.blocked", { reason: "enough", status: "blocked" });
const retry = () => event("control.retry", {}, { bead: "b" });

describe("a slot's way", () => {
  test.each<{ name: string; events: () => LedgerEvent[]; gives: object | null }>([
    {
      name: "is dispatching before its agent is known to run",
      events: () => [dispatch(1)],
      gives: { status: "dispatching", process: null },
    },
    {
      name: "runs once started",
      events: () => [dispatch(1), started(1)],
      gives: { status: "running", process: { pid: 1 } },
    },
    {
      name: "ends, and settles what it cost",
      events: () => [dispatch(1), started(1), ended(1)],
      gives: { status: "ended", costUsd: 1, commits: 1, head: "h1" },
    },
    {
      name: "may end before it was seen running",
      events: () => [dispatch(1), ended(1)],
      gives: { status: "ended" },
    },
    { name: "ends once", events: () => [dispatch(1), ended(1), ended(1)], gives: { costUsd: 1 } },
    {
      name: "finishes for a person to land",
      events: () => [dispatch(1), started(1), ended(1), finished()],
      gives: { status: "merge-pending", head: "h2", commits: 2 },
    },
    {
      name: "queues again with the reason",
      events: () => [dispatch(1), ended(1), queued()],
      gives: { status: "queued", start: "resume", notBefore: 9, note: "again", deaths: 0 },
    },
    {
      name: "counts deaths",
      events: () => [dispatch(1), ended(1), queued("death"), dispatch(2), ended(2), queued("death")],
      gives: { deaths: 2, attempt: 2 },
    },
    {
      name: "counts no limit that an older koryph counted",
      events: () => [dispatch(1), ended(1), queued("limit")],
      gives: { status: "queued", deaths: 0 },
    },
    {
      name: "adds up the cost of its attempts",
      events: () => [dispatch(1), ended(1), queued(), dispatch(2), ended(2)],
      gives: { costUsd: 2 },
    },
    {
      name: "has no known cost once one attempt's is a guess",
      events: () => [
        dispatch(1),
        ended(1, { usage: { cost_usd: 1, cost_known: false } }),
        queued(),
        dispatch(2),
        ended(2),
      ],
      gives: { costKnown: false },
    },
    {
      name: "keeps its commits when it resumes",
      events: () => [dispatch(1), ended(1), queued(), dispatch(2, { start: "resume" })],
      gives: { commits: 1, head: "h1" },
    },
    {
      name: "has none when it starts afresh",
      events: () => [dispatch(1), ended(1), queued(), dispatch(2)],
      gives: { commits: 0, head: null },
    },
    {
      name: "keeps the session when an end names none",
      events: () => [dispatch(1, { session: "s1" }), ended(1)],
      gives: { session: "s1" },
    },
    {
      name: "remembers that it is being stopped",
      events: () => [
        dispatch(1),
        started(1),
        event("slot.stopping", { attempt: 1, why: "operator", force: true }),
      ],
      gives: { status: "running", stopping: { why: "operator", force: true } },
    },
    {
      name: "forgets that with the next attempt",
      events: () => [
        dispatch(1),
        event("slot.stopping", { attempt: 1, why: "x", force: true }),
        ended(1),
        queued(),
        dispatch(2),
      ],
      gives: { stopping: null },
    },
    {
      name: "is blocked until a person asks for a retry",
      events: () => [dispatch(1), ended(1), queued("death"), blocked(), retry()],
      gives: { status: "queued", start: "resume", deaths: 0, notBefore: 0, note: "retry asked for by ana" },
    },
    {
      name: "is taken up with changes that are in no commit",
      events: () => [dispatch(1), ended(1, { commits: 0, uncommitted: true }), blocked(), retry()],
      gives: { start: "resume" },
    },
    {
      name: "is taken up with a session and nothing else",
      events: () => [dispatch(1), ended(1, { commits: 0, session: "s" }), blocked(), retry()],
      gives: { start: "resume", session: "s" },
    },
    {
      name: "is begun afresh where there is nothing",
      events: () => [dispatch(1), ended(1, { commits: 0 }), blocked(), retry()],
      gives: { start: "fresh" },
    },
    {
      name: "needs no retry unless blocked",
      events: () => [dispatch(1), started(1), retry()],
      gives: { status: "running" },
    },
    {
      name: "is gone when dropped",
      events: () => [dispatch(1), event("slot.dropped", { reason: "closed" })],
      gives: null,
    },
  ])("$name", ({ events, gives }) => {
    const slot = folded(...events()).slots.b;
    if (gives === null) expect(slot).toBeUndefined();
    else expect(slot).toMatchObject(gives);
  });

  test.each<{ name: string; late: () => LedgerEvent }>([
    { name: "a start", late: () => started(1) },
    { name: "an end", late: () => ended(1, { head: "old" }) },
    { name: "a stop", late: () => event("slot.stopping", { attempt: 1, why: "late", force: true }) },
  ])("$name of an attempt long gone changes nothing", ({ late }) => {
    const story = [dispatch(1), ended(1), queued(), dispatch(2), started(2)];
    const { at: _, ...before } = folded(...story).slots.b ?? {};
    const { at: __, ...after } = folded(...story, late()).slots.b ?? {};
    expect(after).toEqual(before);
  });

  test.each<{ name: string; with: object; gives: string }>([
    { name: "another run", with: { bead: "b", run: "other" }, gives: "dispatching" },
    { name: "the run that owns it", with: { bead: "b", run: "r" }, gives: "running" },
    { name: "a process outside any run", with: { bead: "b" }, gives: "running" },
  ])("$name moves it to $gives", (row) => {
    const start = event("slot.started", { attempt: 1, process: { pid: 1, start: "", boot: "" } }, row.with);
    expect(folded(dispatch(1), start).slots.b?.status).toBe(row.gives);
  });

  test("a run that adopts it owns it, and the one that had it does not", () => {
    const adopt = event("slot.adopted", { from: "r" }, { bead: "b", run: "r2" });
    const state = folded(dispatch(1), adopt, started(1));
    expect(state.slots.b).toMatchObject({ run: "r2", status: "dispatching" });
  });

  test("nothing happens to a slot that never was", () => {
    expect(Object.keys(folded(started(1), ended(1), finished(), blocked(), retry()).slots)).toEqual([]);
  });
});

describe("lease, run and requests", () => {
  const claimed = (holder: string) => event("lease.claimed", { holder, host: "box", ttl_seconds: 60 }, {});

  test("a renewal by the holder is what observers count from", () => {
    const renewal = event("lease.renewed", { holder: "a" }, {});
    expect(folded(claimed("a"), renewal).lease).toMatchObject({ holder: "a", seenAs: renewal.id });
  });

  test("others neither renew nor release it", () => {
    const claim = claimed("a");
    const state = folded(
      claim,
      event("lease.renewed", { holder: "b" }, {}),
      event("lease.released", { holder: "b" }, {}),
    );
    expect(state.lease).toMatchObject({ holder: "a", seenAs: claim.id });
    expect(folded(claim, event("lease.released", { holder: "a" }, {})).lease).toBeNull();
  });

  test("what was written under a lease that is gone comes too late", () => {
    const [first, second] = [claimed("a"), claimed("b")];
    const under = (lease: LedgerEvent) =>
      event("slot.dispatching", dispatching, { bead: "b", run: "r", lease: lease.id });
    expect(Object.keys(folded(first, second, under(first)).slots)).toEqual([]);
    expect(Object.keys(folded(first, second, under(second)).slots)).toEqual(["b"]);
  });

  test("only the current run is ended, by its own event", () => {
    const start = (run: string) =>
      event(
        "run.started",
        { mode: "rolling", engine_version: "1", budget_usd: 5, resumed: false, review: false },
        { run },
      );
    const end = (run: string) => event("run.ended", { reason: "x", code: 4 }, { run });
    expect(folded(start("r1"), start("r2"), end("r1")).run).toMatchObject({ id: "r2", ended: null });
    expect(folded(start("r1"), end("r1")).run?.ended).toMatchObject({ reason: "x", code: 4 });
  });

  test("a resumed run began when it first did", () => {
    const start = (run: string, resumed: boolean) =>
      event(
        "run.started",
        { mode: "rolling", engine_version: "1", budget_usd: null, resumed, review: false },
        { run },
      );
    const [first, again, next] = [start("r1", false), start("r1", true), start("r2", false)];
    expect(folded(first, again).run?.startedAt).toBe(first.at);
    expect(folded(first, again, next).run?.startedAt).toBe(next.at);
  });

  test("requests wait in order until one is consumed", () => {
    const drain = event("control.drain", {}, {});
    const stop = event("control.stop", { force: false }, {});
    const nudge = event("control.nudge", { text: "hi" }, { bead: "b" });
    const nobody = event("control.nudge", { text: "hi" }, {});
    const consumed = event("control.consumed", { request: drain.id, note: "" }, {});
    const verbs = (state: LedgerState) => state.requests.map(({ request }) => request.verb);
    expect(verbs(folded(drain, stop, nudge, nobody))).toEqual(["drain", "stop", "nudge"]);
    expect(verbs(folded(drain, stop, nudge, consumed, consumed))).toEqual(["stop", "nudge"]);
  });

  test("quarantined and unknown lines are counted, and the first critical one is kept", () => {
    const state = emptyState();
    const unknown = { kind: "unknown", id: "x", type: "a.b", critical: true, needs: "9" } as const;
    fold(state, { kind: "quarantined", reason: "x" });
    fold(state, { ...unknown, critical: false });
    expect(state).toMatchObject({ quarantined: 1, events: 1, readOnly: null });
    fold(state, unknown);
    fold(state, { ...unknown, type: "c.d" });
    expect(state.readOnly).toEqual({ type: "a.b", needs: "9" });
  });
});

describe("tries", () => {
  const passed = (attempt: number) => event("slot.passed", { attempt, note: "" });
  const stages = { asides: [] };

  test("count what was to implement the bead, and neither stages nor reviews", () => {
    const reviewed = [
      dispatch(1),
      started(1),
      ended(1),
      passed(1),
      queued(),
      dispatch(2, { task: "review" }),
    ];
    expect(folded(...reviewed).slots.b).toMatchObject({ attempt: 2, tries: 1 });
    const again = [...reviewed, started(2), ended(2), queued(), dispatch(3, stages)];
    expect(folded(...again).slots.b).toMatchObject({ attempt: 3, tries: 2 });
    expect(folded(...again, dispatch(1)).slots.b?.tries).toBe(1);
  });

  test("of a chain that does not tell them are as many as agents", () => {
    const { tries: _, ...slot } = folded(dispatch(3)).slots.b ?? {};
    const state = { ...emptyState(), slots: { b: slot } };
    const line = JSON.stringify({
      ...event("ledger.rolled", {} as never, {}),
      data: { number: 2, previous: "a".repeat(40), reducer: REDUCER_VERSION - 1, state, purge: null },
    });
    const after = emptyState();
    fold(after, readEvent(line));
    expect(after.slots.b).toMatchObject({ attempt: 3, tries: 3 });
  });
});

describe("rolling", () => {
  const roll = (state: LedgerState) =>
    event(
      "ledger.rolled",
      {
        number: state.chain.number + 1,
        previous: "a".repeat(40),
        reducer: REDUCER_VERSION,
        state: JSON.parse(JSON.stringify(state)),
        purge: null,
      },
      {},
    );

  test("a roll opens a chain with what the one before amounted to", () => {
    const before = folded(dispatch(1), event("control.drain", {}, {}));
    const after = folded(roll(before));
    expect(after).toEqual({ ...before, events: 3, chain: { number: 2, start: 3 } });
    expect(chainLength(after)).toBe(0);
  });

  test("a roll anywhere else changes nothing but the count", () => {
    const before = folded(dispatch(1));
    expect(folded(dispatch(1), roll(emptyState())).slots.b?.status).toBe(before.slots.b?.status);
  });

  test.each([
    { name: "one line short", given: { events: ROLL_EVERY - 1 }, gives: false },
    { name: "long enough", given: { events: ROLL_EVERY }, gives: true },
    { name: "made long by lines in quarantine", given: { quarantined: ROLL_EVERY }, gives: true },
    {
      name: "short since the last roll",
      given: { events: ROLL_EVERY, chain: { number: 2, start: 1 } },
      gives: false,
    },
  ])("a chain that is $name: due $gives", ({ given, gives }) => {
    expect(rollDue({ ...emptyState(), ...given })).toBe(gives);
  });

  test("a copy can be folded on without changing what it came from", () => {
    const lease = event("lease.claimed", { holder: "a", host: "h", ttl_seconds: 1 }, {});
    const run = event(
      "run.started",
      { mode: "wave", engine_version: "1", budget_usd: null, resumed: false, review: false },
      { run: "r" },
    );
    const state = folded(lease, run, dispatch(1), event("control.drain", {}, {}));
    const kept = structuredClone(state);
    const copy = copyState(state);
    const more = [
      started(1),
      event("lease.renewed", { holder: "a" }, {}),
      event("run.ended", { reason: "", code: 0 }, { run: "r" }),
      event("control.drain", {}, {}),
    ];
    for (const each of more) fold(copy, { kind: "event", event: each });
    expect(state).toEqual(kept);
    expect(copy).not.toEqual(kept);
  });
});

describe("while an engine holds the lease", () => {
  const dispatched = (attempt: number, lease?: string): NewEvent => ({
    type: "slot.dispatching",
    bead: "b-1",
    run: "r-1",
    lease,
    data: {
      attempt,
      title: "t",
      footprint: { reads: [], writes: [] },
      resources: [],
      runtime: "x",
      model: "m",
      model_why: "w",
      merge_policy: "manual",
      risk_tier: 0,
      timeout_seconds: 1,
      estimate_usd: 0,
      start: "fresh",
      session: null,
    },
  });

  test("nobody moves its slots by an event that names no lease, or an old one", () => {
    const state = emptyState();
    append(state, { type: "lease.claimed", data: { holder: "h", host: "m", ttl_seconds: 60 } });
    const lease = state.lease?.id;
    append(state, dispatched(1, lease), dispatched(7), dispatched(8, "01OLD"));
    expect(state.slots["b-1"]?.attempt).toBe(1);
    append(state, { type: "slot.dropped", bead: "b-1", run: "r-1", data: { reason: "forged" } });
    expect(state.slots["b-1"]?.attempt).toBe(1);
    append(state, dispatched(2, lease));
    expect(state.slots["b-1"]?.attempt).toBe(2);
  });
});

describe("what agents have cost", () => {
  const paid = (attempt: number, cost_usd: number, over: Partial<EventData<"slot.ended">> = {}) =>
    ended(attempt, { outcome: "completed", usage: { cost_usd, cost_known: true }, ...over });
  const on = { runtime: "codex", model: "nova" };

  test("is kept by runtime and model, and later attempts weigh more", () => {
    const { spent } = folded(
      ...[dispatch(1, on), paid(1, 1), queued(), dispatch(2, on), paid(2, 2, { outcome: "timed-out" })],
      ...[queued(), dispatch(3, { ...on, task: "review", asides: [aside("review", "sol")] }), paid(3, 5)],
    );
    expect({ ...spent }).toEqual({
      "codex/nova": { attempts: 2, usualUsd: 1.3 },
      "codex/sol": { attempts: 1, usualUsd: 5 },
    });
  });

  test.each<{ name: string; over: Partial<EventData<"slot.ended">> }>([
    { name: "an estimate", over: { usage: { cost_usd: 1, cost_known: false } } },
    { name: "an attempt that was cut short", over: { outcome: "limited" } },
    { name: "the end of another attempt", over: { attempt: 7 } },
  ])("is not told by $name", ({ over }) => {
    expect({ ...folded(dispatch(1, on), paid(1, 1, over)).spent }).toEqual({});
  });

  test("counts once, however often it is told", () => {
    const { spent } = folded(dispatch(1, on), paid(1, 1), paid(1, 1));
    expect(spent["codex/nova"]?.attempts).toBe(1);
  });
});

function aside(task: string, model: string) {
  return { task, model, model_why: "", timeout_seconds: 9, estimate_usd: 1, optional: false };
}
