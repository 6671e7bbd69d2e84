import { describe, expect, test } from "vitest";
import type { Bead } from "../../../../src/core/model/bead.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { isOpen } from "../../../../src/core/run/ledger/slot-groups.js";
import {
  clippedMax,
  type Dispatching,
  decideDispatch,
} from "../../../../src/core/run/tick/decide-dispatch.js";
import { FRESH_MEMORY, type TickFacts } from "../../../../src/core/run/tick/tick-facts.js";
import { bead } from "../../../support/core/beads.js";
import { projectWith, slot, stage, stateWith } from "../../../support/core/slots.js";

const NOW = 5_000_000_000;
const DAY_MS = 24 * 3600 * 1000;
const recently = new Date(NOW).toISOString();

/** What deciding about a dispatch looks at. */
type Facts = Pick<
  TickFacts,
  "state" | "run" | "now" | "config" | "options" | "memory" | "work" | "interrupted"
>;

const base: Facts = {
  state: stateWith(),
  run: "r-1",
  now: NOW,
  config: projectWith({ max_concurrent_slots: 3 }),
  options: { mode: "rolling", once: false },
  memory: FRESH_MEMORY,
  work: { ready: [], all: [] },
  interrupted: false,
};

/** Slots of the ledger; those at work take a place, and all that are given here hold their tokens. */
function decide(given: Partial<Facts>, slots: readonly Slot[] = [], holding = slots): Dispatching {
  const facts = { ...base, ...given, state: given.state ?? stateWith(...slots) };
  const ours = slots.filter(({ run }) => run === facts.run);
  const active = ours.filter(({ status }) => ["dispatching", "running", "ended"].includes(status));
  return decideDispatch(facts as TickFacts, { slots: ours, active, holding });
}

function work(...beads: readonly Bead[]): TickFacts["work"] {
  return { ready: beads, all: beads };
}

const fresh = (id: string, ...labels: readonly string[]) => bead({ id, labels: [`fp:${id}`, ...labels] });

/** The beads that are dispatched. */
function dispatched({ effects }: Dispatching): (string | undefined)[] {
  return effects.flatMap((effect) =>
    effect.kind === "append" ? effect.events.map((event) => ("bead" in event ? event.bead : undefined)) : [],
  );
}

/** The beads that are not, and why. */
function passedOver({ deferred, skipped }: Dispatching): string[] {
  return [...deferred, ...skipped].map(({ bead: { id }, refusal }) => `${id} ${refusal.code}`);
}

const queued = (overrides: Partial<Slot> = {}) =>
  slot({ status: "queued", process: null, at: recently, ...overrides });
const at = (id: string, overrides: Partial<Slot> = {}) =>
  slot({ bead: id, footprint: { reads: [], writes: [id] }, at: recently, ...overrides });

describe("nothing is dispatched", () => {
  test.each<{ name: string; given: Partial<Facts>; paused: Dispatching["paused"] }>([
    { name: "when the engine is to end", given: { interrupted: true }, paused: "interrupted" },
    { name: "when the work source was not asked", given: { work: null }, paused: null },
  ])("$name", ({ given, paused }) => {
    const all = [queued({ bead: "q", notBefore: NOW + 5 })];
    const decided = decide({ work: work(fresh("a")), ...given }, all);
    expect(decided).toMatchObject({ effects: [], paused, waiting: 1, deferred: [], skipped: [] });
  });

  test("a stagger is over to the millisecond, and says until when", () => {
    const config = projectWith({ dispatch_stagger_seconds: 10 });
    const staggered = (lastDispatchAt: number) =>
      decide({ config, work: work(fresh("a")), memory: { ...FRESH_MEMORY, lastDispatchAt } });
    expect(staggered(NOW - 4_000)).toMatchObject({ paused: "stagger", wakeAt: NOW + 6_000 });
    expect(staggered(NOW)).toMatchObject({ paused: "stagger", wakeAt: NOW + 10_000 });
    expect(dispatched(staggered(NOW - 10_000))).toEqual(["a"]);
    expect(dispatched(staggered(NOW + 1))).toEqual(["a"]);
  });

  test("a stagger holds what is queued as well, and pauses nothing where there is nothing to start", () => {
    const config = projectWith({ dispatch_stagger_seconds: 10 });
    const memory = { ...FRESH_MEMORY, lastDispatchAt: NOW };
    expect(decide({ config, memory }, [queued()])).toMatchObject({ effects: [], paused: "stagger" });
    expect(decide({ config, memory })).toMatchObject({ effects: [], paused: null });
  });

  test("a single place that became free is refilled at once", () => {
    const config = projectWith({ dispatch_stagger_seconds: 10 });
    const memory = { ...FRESH_MEMORY, lastDispatchAt: NOW, filling: false };
    expect(dispatched(decide({ config, memory, work: work(fresh("a")) }))).toEqual(["a"]);
    expect(dispatched(decide({ config, memory }, [queued()]))).toEqual(["b-1"]);
  });

  test.each([
    { lastRuntime: "claude", waits: 2_000 },
    { lastRuntime: "codex", waits: 2_000 },
    { lastRuntime: "shell", waits: null },
  ])("without a setting the pause after $lastRuntime is its own", ({ lastRuntime, waits }) => {
    const { dispatch_stagger_seconds: _, ...config } = projectWith();
    const memory = { ...FRESH_MEMORY, lastDispatchAt: NOW, lastRuntime };
    const decided = decide({ config, memory, work: work(fresh("a")) });
    expect(decided.paused === "stagger" ? (decided.wakeAt ?? 0) - NOW : null).toBe(waits);
  });

  test("while every place is taken, and a wave that was being filled is full", () => {
    const full = [at("x"), at("y"), at("z")];
    const decided = decide({ work: work(fresh("a")) }, full);
    expect(decided).toMatchObject({ effects: [], paused: null, memory: { filling: false } });
    expect(dispatched(decide({ work: work(fresh("a")) }, full.slice(1)))).toEqual(["a"]);
  });

  test("while every place is taken, not even what is queued", () => {
    const config = projectWith({ max_concurrent_slots: 1 });
    const next = at("q", { status: "queued", process: null });
    expect(decide({ config }, [at("x"), next])).toMatchObject({ effects: [], waiting: 1 });
    expect(dispatched(decide({ config }, [next]))).toEqual(["q"]);
  });

  test("what is held by a person does not wait for a place", () => {
    const state = stateWith(queued({ bead: "q" }), queued({ bead: "p" }));
    const hold = { id: "1", at: recently, actor: "@walter", reason: "", evidence: undefined };
    Object.assign(state.holds, { q: hold });
    const decided = decide({ state }, [queued({ bead: "q" }), queued({ bead: "p" })]);
    expect(decided.waiting).toBe(1);
    expect(dispatched(decided)).toEqual(["p"]);
  });
});

describe("a dispatch", () => {
  test("is remembered with its time, and more are wanted while there are more", () => {
    const { memory } = decide({ work: work(fresh("a"), fresh("b")) });
    expect(memory).toEqual({
      lastDispatchAt: NOW,
      lastRuntime: "claude",
      filling: true,
      deferrals: { a: 0, b: 0 },
    });
    expect(decide({ work: work(fresh("a")) }).memory.filling).toBe(false);
    expect(decide({}).memory).toEqual({ ...FRESH_MEMORY, filling: false });
  });

  test("answers every request to inject its bead, and no other", () => {
    const state = stateWith();
    const ask = (id: string, request: object) => ({ id, at: recently, actor: "@maria", request });
    Object.assign(state, {
      requests: [
        ask("1", { verb: "inject", bead: "a" }),
        ask("2", { verb: "inject", bead: "b" }),
        ask("3", { verb: "nudge", bead: "a", text: "hi" }),
      ],
    });
    const { effects } = decide({ state, work: work(fresh("a")) });
    expect(effects.map((effect) => (effect.kind === "consume" ? effect.request : effect.kind))).toEqual([
      "append",
      "1",
    ]);
  });

  test.each<{ name: string; asked: boolean; auto: boolean; starts: boolean }>([
    { name: "waits for a reviewer when the run asks for one", asked: true, auto: false, starts: false },
    { name: "waits for a reviewer when the project asks for one", asked: false, auto: true, starts: false },
    { name: "does without a reviewer when nobody asks", asked: false, auto: false, starts: true },
  ])("$name", ({ asked, auto, starts }) => {
    const config = projectWith({ review: { auto }, allowed_models: ["sonnet"] });
    const options = { ...base.options, review: asked };
    expect(dispatched(decide({ config, options, work: work(fresh("a")) }))).toEqual(starts ? ["a"] : []);
  });

  test("says what it passed over, and when the next queued one is due", () => {
    const slots = [
      queued({ bead: "q", notBefore: NOW + 7_000 }),
      queued({ bead: "p", notBefore: NOW + 3_000 }),
    ];
    const decided = decide({ work: work(fresh("a"), fresh("b", "no-dispatch")) }, slots);
    expect(dispatched(decided)).toEqual(["a"]);
    expect(decided.wakeAt).toBe(NOW + 3_000);
    expect(passedOver(decided)).toEqual(["b no_dispatch"]);
  });
});

describe("what is queued", () => {
  test("goes on in the order it is due, then by name, before anything new", () => {
    const slots = [
      queued({ bead: "c", notBefore: 5 }),
      queued({ bead: "b", notBefore: 7 }),
      queued({ bead: "a", notBefore: 7 }),
      queued({ bead: "d", notBefore: 5 }),
    ].map((each) => ({ ...each, footprint: { reads: [], writes: [each.bead] } }));
    const order = [];
    for (let left = slots; left.length > 0; ) {
      const [next] = dispatched(decide({ work: work(fresh("z")) }, left));
      order.push(next);
      left = left.filter((each) => each.bead !== next);
    }
    expect(order).toEqual(["c", "d", "a", "b"]);
  });

  test("is not waited for while something new can go on", () => {
    const decided = decide({ work: work(fresh("a")) }, [queued({ notBefore: NOW + 1 })]);
    expect(dispatched(decided)).toEqual(["a"]);
    expect(dispatched(decide({}, [queued({ notBefore: NOW })]))).toEqual(["b-1"]);
  });

  test.each([
    { name: "a wait of eight days is kept", notBefore: NOW + 8 * DAY_MS, stamped: NOW, due: false },
    { name: "a longer one is nobody's wish", notBefore: NOW + 8 * DAY_MS + 1, stamped: NOW, due: true },
    { name: "clocks may differ by a minute", notBefore: NOW + 5, stamped: NOW + 60_000, due: false },
    { name: "and not by more", notBefore: NOW + 5, stamped: NOW + 60_001, due: true },
  ])("$name", ({ notBefore, stamped, due }) => {
    const decided = decide({}, [queued({ notBefore, at: new Date(stamped).toISOString() })]);
    expect(dispatched(decided)).toEqual(due ? ["b-1"] : []);
    expect(decided.wakeAt).toBe(due ? null : notBefore);
  });

  test("waits for tokens that somebody at work has, and for no others", () => {
    const beside = (...others: readonly Slot[]) =>
      dispatched(decide({}, [queued({ bead: "q" })], [queued({ bead: "q" }), ...others]));
    const sharing = { footprint: { reads: [], writes: ["x"] } };
    expect(beside(at("w", sharing))).toEqual([]);
    expect(beside(at("w", { ...sharing, run: "another" }))).toEqual([]);
    expect(beside(at("w"))).toEqual(["q"]);
    expect(beside(at("w", { ...sharing, status: "queued" }))).toEqual(["q"]);
    expect(beside(at("q", sharing))).toEqual(["q"]);
  });

  test("looks again at the earliest time that lies ahead", () => {
    const pause = { runtime: "claude", model: null, kind: "limited", detail: "", at: recently } as const;
    const waking = (until: number, ...slots: readonly Slot[]) => {
      const state = { ...stateWith(...slots), pauses: [{ ...pause, until, times: 1, probe: null }] };
      return decide({ state }, slots).wakeAt;
    };
    const later = queued({ notBefore: NOW + 9 });
    expect(waking(NOW - 5, later)).toBe(NOW + 9);
    expect(waking(NOW + 5, later)).toBe(NOW + 5);
    expect(waking(NOW)).toBe(null);
  });

  test("that is due and cannot go on has no time at which it could", () => {
    const stale = queued({ bead: "q", notBefore: NOW + 8 * DAY_MS + 1 });
    const worker = at("w", { footprint: stale.footprint });
    expect(decide({}, [stale, worker])).toMatchObject({ effects: [], wakeAt: null });
  });

  test("waits for a resource that others have taken up", () => {
    const config = projectWith({ resources: { gpu: { capacity: 1 } } });
    const mine = queued({ bead: "q", resources: ["gpu"] });
    const decided = (other: Slot) => dispatched(decide({ config }, [mine], [mine, other]));
    expect(decided(at("w", { resources: ["gpu"] }))).toEqual([]);
    expect(decided(at("w"))).toEqual(["q"]);
  });
});

describe("a budget", () => {
  const budget = (budgetUsd: number) => ({ options: { ...base.options, budgetUsd } });

  test("pays for what was spent, what works now, and the attempt that comes next", () => {
    const slots = [
      at("done", { status: "merged", costUsd: 1, estimateUsd: 50 }),
      at("busy", { costUsd: 0.5, estimateUsd: 2 }),
      queued({ bead: "q", estimateUsd: 3 }),
    ];
    expect(dispatched(decide(budget(6.5), slots))).toEqual(["q"]);
    expect(decide(budget(6.25), slots)).toMatchObject({
      effects: [],
      paused: "budget",
      unaffordable: { bead: "q", estimateUsd: 3, leftUsd: 2.75 },
    });
    expect(decide(budget(1), slots)).toMatchObject({ unaffordable: { leftUsd: 0 } });
  });

  test("counts a stage as what the stage is expected to cost", () => {
    const staged = queued({ bead: "q", task: "stage:docs", asides: [stage()], estimateUsd: 3 });
    expect(dispatched(decide(budget(0.5), [staged]))).toEqual(["q"]);
    expect(decide(budget(0.25), [staged]).unaffordable).toEqual({
      bead: "q",
      estimateUsd: 0.5,
      leftUsd: 0.25,
    });
  });

  test("keeps a new bead from starting, and tells which", () => {
    const decided = decide({ ...budget(0.01), work: work(fresh("a"), fresh("b", "no-dispatch")) });
    expect(decided).toMatchObject({
      effects: [],
      paused: "budget",
      unaffordable: { bead: "a", leftUsd: 0.01 },
    });
    expect(passedOver(decided)).toEqual(["b no_dispatch"]);
    expect(decided.memory).toEqual(FRESH_MEMORY);
    expect(decide({ work: work(fresh("a")) }).unaffordable).toBeUndefined();
  });
});

describe("waves", () => {
  const wave = { options: { mode: "wave", once: false } } as const;
  const once = { options: { mode: "rolling", once: true } } as const;
  const filled = { memory: { ...FRESH_MEMORY, filling: false } };
  const more = { work: work(fresh("a")) };

  test("a new one begins when the last has ended", () => {
    expect(dispatched(decide({ ...wave, ...filled, ...more }, [at("x")]))).toEqual([]);
    expect(dispatched(decide({ ...wave, ...more }, [at("x")]))).toEqual(["a"]);
    expect(dispatched(decide({ ...wave, ...filled, ...more }))).toEqual(["a"]);
    // What a dead run left is none of this wave's.
    expect(dispatched(decide({ ...wave, ...filled, ...more }, [], [at("x", { run: "another" })]))).toEqual([
      "a",
    ]);
    expect(dispatched(decide({ ...filled, ...more }, [at("x")]))).toEqual(["a"]);
  });

  test.each<{ name: string; last: Partial<Slot>; begins: boolean }>([
    { name: "not while a landing ends", last: { status: "merged" }, begins: false },
    { name: "not while a bead is in the queue", last: { status: "landing" }, begins: false },
    { name: "but once it has landed", last: { status: "merged", settled: true }, begins: true },
    { name: "and when it waits for a person", last: { status: "merge-pending" }, begins: true },
  ])("the next one begins $name", ({ last, begins }) => {
    const slots = [at("x", last)];
    const holding = slots.filter(isOpen);
    expect(dispatched(decide({ ...wave, ...filled, ...more }, slots, holding))).toEqual(begins ? ["a"] : []);
  });

  test("a held bead whose agent is at work does not rest", () => {
    const slots = [at("x")];
    const state = stateWith(...slots);
    Object.assign(state.holds, { x: { id: "1", at: recently, actor: "@walter", reason: "" } });
    expect(dispatched(decide({ ...wave, ...filled, ...more, state }, slots))).toEqual([]);
  });

  test.each<{ name: string; until: number | null; filling: boolean }>([
    { name: "one that waits for a runtime is still to be filled", until: NOW + 5, filling: true },
    { name: "one that waits for a person is not", until: null, filling: false },
  ])("$name", ({ until, filling }) => {
    const pause = { runtime: "claude", model: null, kind: "limited", detail: "", at: recently } as const;
    const state = { ...stateWith(), pauses: [{ ...pause, until, times: 1, probe: "z" }] };
    expect(decide({ ...wave, ...more, state })).toMatchObject({ effects: [], memory: { filling } });
  });

  test("one whose last bead has to wait for others is full", () => {
    const slots = [at("x", { footprint: { reads: [], writes: ["a"] } })];
    const decided = decide({ ...wave, ...more }, slots);
    expect(decided).toMatchObject({ effects: [], memory: { filling: false } });
    expect(decided.deferred).toHaveLength(1);
  });

  test("what a person holds rests", () => {
    const slots = [queued({ bead: "q", footprint: { reads: [], writes: ["q"] } })];
    const state = stateWith(...slots);
    Object.assign(state.holds, { q: { id: "1", at: recently, actor: "@walter", reason: "" } });
    expect(dispatched(decide({ ...wave, ...filled, ...more, state }, slots))).toEqual(["a"]);
  });

  test("with --once there is one, and it is over when all of it has ended", () => {
    expect(dispatched(decide({ ...once, ...more }, [at("x")]))).toEqual(["a"]);
    const waiting = queued({ bead: "q", notBefore: NOW + 9 });
    expect(decide({ ...once, ...filled, ...more }, [waiting])).toMatchObject({
      effects: [],
      paused: null,
      wakeAt: NOW + 9,
    });
    expect(decide({ ...once, ...filled, ...more })).toMatchObject({
      effects: [],
      paused: "once",
      wakeAt: null,
    });
  });

  test("with --once and without work nothing is planned anew while it is being filled", () => {
    expect(decide({ ...once, work: null }, [at("x")])).toMatchObject({ effects: [], paused: null });
  });
});

const OPEN = ["queued", "dispatching", "running", "ended", "passed", "landing", "refused"] as const;

describe("a bead that is ready in the work source although the ledger knows better", () => {
  test.each<{ name: string; known: Partial<Slot>; code: string | null }>([
    { name: "blocked here", known: { status: "blocked" }, code: "blocked" },
    { name: "blocked elsewhere", known: { status: "blocked", run: "another" }, code: "blocked" },
    { name: "in conflict here", known: { status: "conflict" }, code: "blocked" },
    { name: "in conflict in another run", known: { status: "conflict", run: "another" }, code: null },
    { name: "finished", known: { status: "merge-pending" }, code: "merge_pending" },
    { name: "landed, and not closed yet", known: { status: "merged" }, code: "merged" },
    { name: "landed, closed and opened again", known: { status: "merged", settled: true }, code: null },
    { name: "a pull request", known: { status: "pr-opened" }, code: "merge_pending" },
    ...OPEN.flatMap((status) =>
      ["r-1", "another"].map((run) => ({
        name: `${status} in run ${run}`,
        known: { status, run, notBefore: NOW + 5 },
        code: "already_active",
      })),
    ),
  ])("$name", ({ known, code }) => {
    const slots = [at("a", known)];
    const state = stateWith(...slots);
    const decided = decide({ state, work: work(fresh("a")) }, slots, slots.filter(isOpen));
    expect(dispatched(decided)).toEqual(code === null ? ["a"] : []);
    expect(passedOver(decided)).toEqual(code === null ? [] : [`a ${code}`]);
  });

  test("what the ledger knows of it is told before a person's hold", () => {
    const state = stateWith(at("a", { status: "merge-pending" }));
    const hold = { id: "1", at: recently, actor: "@walter", reason: "", evidence: undefined };
    Object.assign(state.holds, { a: hold, b: hold });
    const decided = decide({ state, work: work(fresh("a"), fresh("b")) });
    expect(passedOver(decided).sort()).toEqual(["a merge_pending", "b held"]);
    expect(dispatched(decided)).toEqual([]);
  });
});

test("the width is the live one, then --max, then the project's, and only force goes beyond that", () => {
  const places = (given: Partial<Facts>, resize: { max: number; force: boolean } | null) => {
    const crowd = Array.from({ length: 6 }, (_, n) => at(`w${n}`));
    const fits = (count: number) => {
      const slots = crowd.slice(0, count);
      return dispatched(
        decide({ ...given, state: { ...stateWith(...slots), resize }, work: work(fresh("a")) }, slots),
      );
    };
    return crowd.findIndex((_, count) => fits(count).length === 0);
  };
  expect(places({}, null)).toBe(3);
  expect(places({ options: { ...base.options, max: 2 } }, null)).toBe(2);
  expect(places({ options: { ...base.options, max: 9 } }, null)).toBe(3);
  expect(places({ options: { ...base.options, max: 2 } }, { max: 1, force: false })).toBe(1);
  expect(places({}, { max: 5, force: false })).toBe(3);
  expect(places({}, { max: 5, force: true })).toBe(5);
});

test.each([
  { max: undefined, clipped: undefined },
  { max: 3, clipped: undefined },
  { max: 4, clipped: 4 },
])("a --max of $max above a ceiling of 3 is told: $clipped", ({ max, clipped }) =>
  expect(clippedMax({ max }, { max_concurrent_slots: 3 })).toBe(clipped),
);
