import { describe, expect, test } from "vitest";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { decideTick } from "../../../../src/core/run/tick/tick.js";
import {
  FRESH_MEMORY,
  type SlotObservation,
  type TickFacts,
} from "../../../../src/core/run/tick/tick-facts.js";
import { bead } from "../../../support/core/beads.js";
import { agentEnd, append, projectWith, slot, stateWith } from "../../../support/core/slots.js";
import { observed, tickFacts } from "../../../support/core/tick-facts.js";

const NOW = 5_000_000;
const alive = observed({
  worktree: "ready",
  process: { kind: "alive", identity: { pid: 7, start: "1", boot: "b" } },
  claim: "ours",
});
const unseen = observed();
const end = agentEnd({ session: null });

function facts(overrides: Partial<TickFacts> = {}): TickFacts {
  return tickFacts({ now: NOW, ...overrides });
}

function running(...slots: readonly Slot[]): Partial<TickFacts> {
  return { state: stateWith(...slots), observations: new Map(slots.map(({ bead: id }) => [id, alive])) };
}

function work(...ids: readonly string[]): TickFacts["work"] {
  const beads = ids.map((id) => bead({ id, labels: [`fp:${id}`] }));
  return { ready: beads, all: beads };
}

/** Effects in short: kind, and the types of what is appended. */
function effects(given: Partial<TickFacts>): string[] {
  return decideTick(facts(given)).effects.map((effect) =>
    effect.kind === "append" ? effect.events.map(({ type }) => type).join("+") : effect.kind,
  );
}

describe("one slot", () => {
  const dispatching = slot({ status: "dispatching", process: null });
  const observation = (overrides: Partial<SlotObservation>) => ({
    state: stateWith(dispatching),
    observations: new Map([["b-1", { ...unseen, ...overrides }]]),
    config: projectWith({ max_concurrent_slots: 1 }),
  });

  test.each<{ name: string; given: Partial<TickFacts>; expected: string[] }>([
    { name: "a new slot first claims its bead", given: observation({}), expected: ["claim-bead"] },
    {
      name: "a claimed one prepares its clone",
      given: observation({ claim: "ours" }),
      expected: ["prepare"],
    },
    {
      name: "a half-made clone is prepared again",
      given: observation({ claim: "ours", worktree: "unfinished" }),
      expected: ["prepare"],
    },
    {
      name: "a prepared one launches",
      given: observation({ claim: "ours", worktree: "ready" }),
      expected: ["launch"],
    },
    {
      name: "a process found alive is recorded as started",
      given: observation({ process: alive.process }),
      expected: ["slot.started"],
    },
    {
      name: "a bead somebody else took is dropped",
      given: observation({ claim: "taken" }),
      expected: ["slot.dropped"],
    },
    {
      name: "a bead closed meanwhile is dropped",
      given: observation({ claim: "gone" }),
      expected: ["slot.dropped"],
    },
    {
      name: "a bead whose text is not released any more is dropped before its first agent",
      given: observation({ claim: "unreleased" }),
      expected: ["slot.dropped"],
    },
    {
      name: "and blocked before a later one: somebody has to see the work",
      given: {
        ...observation({ claim: "unreleased" }),
        state: stateWith(slot({ status: "dispatching", process: null, attempt: 2 })),
      },
      expected: ["slot.blocked"],
    },
    {
      name: "an end is collected first",
      given: observation({ process: { kind: "ended", end } }),
      expected: ["collect"],
    },
    {
      name: "and concluded in one batch when it was",
      given: observation({
        process: { kind: "ended", end },
        left: { head: "a", began: null, commits: 1, dirty: false, said: null },
      }),
      expected: ["slot.ended+slot.passed"],
    },
  ])("$name", ({ given, expected }) => expect(effects(given)).toEqual(expected));

  test("an agent without a trace on this machine is lost, not running", () => {
    const given = {
      state: stateWith(slot()),
      observations: new Map([
        ["b-1", { ...unseen, left: { head: null, began: null, commits: 0, dirty: false, said: null } }],
      ]),
    };
    const [effect] = decideTick(facts(given)).effects;
    expect(effect).toMatchObject({
      kind: "append",
      events: [{ data: { outcome: "lost" } }, { type: "slot.queued" }],
    });
  });
});

describe("dispatching", () => {
  test("one bead at a time, the most urgent first", () => {
    const ready = [bead({ id: "later", priority: 2 }), bead({ id: "first", priority: 1, labels: ["fp:f"] })];
    const tick = decideTick(facts({ work: { ready, all: ready } }));
    expect(tick.effects).toMatchObject([
      { kind: "append", events: [{ type: "slot.dispatching", bead: "first" }] },
    ]);
  });

  test.each<{ name: string; given: Partial<TickFacts> }>([
    {
      name: "when the width is used up",
      given: { ...running(slot()), config: projectWith({ max_concurrent_slots: 1 }) },
    },
    {
      name: "before the stagger has passed",
      given: {
        memory: { ...FRESH_MEMORY, lastDispatchAt: NOW - 4_000 },
        config: projectWith({ dispatch_stagger_seconds: 5 }),
      },
    },
    {
      name: "what the budget would not bear",
      given: { options: { mode: "rolling", once: false, budgetUsd: 1 } },
    },
    {
      name: "in wave mode while the wave is under way",
      given: {
        ...running(slot()),
        options: { mode: "wave", once: false },
        memory: { ...FRESH_MEMORY, filling: false },
      },
    },
    {
      name: "what conflicts with a slot that a dead run left",
      given: { state: stateWith(slot({ run: "old", footprint: { reads: [], writes: ["n-1"] } })) },
    },
    {
      name: "a bead that waits to land",
      given: { state: stateWith(slot({ bead: "n-1", status: "merge-pending", run: "old" })) },
    },
    { name: "a blocked bead", given: { state: stateWith(slot({ bead: "n-1", status: "blocked" })) } },
  ])("does not start $name", ({ given }) => {
    expect(
      effects({ work: work("n-1"), ...given }).filter((effect) => effect.startsWith("slot.dispatching")),
    ).toEqual([]);
  });

  test("a drain starts nothing, not even what is queued", () => {
    const state = stateWith(slot({ status: "queued" }));
    append(state, { type: "control.drain", data: {} });
    expect(effects({ state, work: work("n-1") })).toEqual([]);
  });

  test("a queued slot comes before new beads, as its next attempt", () => {
    const state = stateWith(slot({ status: "queued", attempt: 2, start: "resume", session: "s" }));
    const [effect] = decideTick(facts({ state, work: work("n-1") })).effects;
    expect(effect).toMatchObject({
      events: [{ bead: "b-1", data: { attempt: 3, start: "resume", session: "s" } }],
    });
  });

  test("a wait until the year 9999 is nobody's wish and is not kept", () => {
    const state = stateWith(slot({ status: "queued", notBefore: 253_402_300_799_000 }));
    expect(effects({ state })).toEqual(["slot.dispatching"]);
  });

  test("a wait that was set by a clock far ahead of ours is over, one that is seconds ahead is kept", () => {
    const queuedAt = (at: number) =>
      effects({
        state: stateWith(slot({ status: "queued", notBefore: at + 15_000, at: new Date(at).toISOString() })),
      });
    expect(queuedAt(NOW + 86_400_000)).toEqual(["slot.dispatching"]);
    expect(queuedAt(NOW + 30_000)).toEqual([]);
  });

  test("a clock that was set back after a dispatch does not hold the next one", () => {
    const memory = { ...FRESH_MEMORY, lastDispatchAt: NOW + 86_400_000 };
    const config = projectWith({ dispatch_stagger_seconds: 5 });
    expect(effects({ memory, config, work: work("a") })).toEqual(["slot.dispatching"]);
  });

  test("a slot that was tried absurdly often is blocked", () => {
    const state = stateWith(slot({ status: "queued", attempt: 50_000 }));
    expect(effects({ state })).toEqual(["slot.blocked"]);
  });

  test("a queued slot whose time has not come is waited for", () => {
    const state = stateWith(slot({ status: "queued", notBefore: NOW + 9_000 }));
    expect(decideTick(facts({ state }))).toMatchObject({ effects: [], wakeAt: NOW + 9_000, end: null });
  });

  test("a bead that came back from being blocked waits for its footprint like any other", () => {
    const given = running(slot({ bead: "b-2" }));
    const state = given.state ?? stateWith();
    state.slots["b-1"] = slot({ status: "queued" });
    expect(effects({ ...given, state })).toEqual([]);
  });

  test("a live resize beats --max, and only a forced one the project's ceiling", () => {
    const state = (force: boolean) => {
      const given = running(
        slot({ bead: "a", footprint: { reads: [], writes: ["a"] } }),
        slot({ bead: "b", footprint: { reads: [], writes: ["b"] } }),
      );
      append(given.state ?? stateWith(), { type: "control.resize", data: { max: 3, force } });
      return { ...given, work: work("n-1"), config: projectWith({ max_concurrent_slots: 2 }) };
    };
    expect(effects(state(false))).toEqual([]);
    expect(effects(state(true))).toEqual(["slot.dispatching"]);
  });

  test("being passed over counts towards starving, being looked at does not", () => {
    const ready = [bead({ id: "n-1", labels: ["fp:x"] }), bead({ id: "n-2", labels: ["fp:x"] })];
    const dispatched = decideTick(facts({ work: { ready, all: ready } }));
    expect(dispatched.memory.deferrals).toEqual({ "n-1": 0, "n-2": 1 });
    const waiting = facts({ ...running(slot()), work: { ready, all: ready }, memory: dispatched.memory });
    expect(decideTick(waiting).memory.deferrals).toEqual({ "n-1": 0, "n-2": 1 });
  });
});

describe("the end of a run", () => {
  const undispatched = bead({ id: "n-1", labels: ["no-dispatch"] });
  const epic = bead({ id: "n-1", type: "epic" });
  test.each<{ name: string; given: Partial<TickFacts>; expected: object | null }>([
    {
      name: "nothing left to do is drained, and success",
      given: {},
      expected: { reason: "drained", code: 4, passedOver: [] },
    },
    {
      name: "only beads that wait for people, and which",
      given: { work: { ready: [undispatched], all: [] } },
      expected: {
        reason: "all-deferred",
        code: 0,
        passedOver: [{ bead: undispatched, refusal: { code: "no_dispatch" } }],
      },
    },
    {
      name: "a bead that is no work for agents is named, and keeps no run from being drained",
      given: { work: { ready: [epic], all: [] } },
      expected: {
        reason: "drained",
        code: 4,
        passedOver: [{ bead: epic, refusal: { code: "issue_type", type: "epic" } }],
      },
    },
    {
      name: "the budget",
      given: { work: work("n-1"), options: { mode: "rolling", once: false, budgetUsd: 1 } },
      expected: {
        reason: "budget-cap",
        code: 0,
        unaffordable: { bead: "n-1", estimateUsd: 2.25, leftUsd: 1 },
      },
    },
    {
      name: "an interrupt",
      given: { interrupted: true, work: null },
      expected: { reason: "interrupted", code: 0 },
    },
    {
      name: "one wave",
      given: {
        options: { mode: "rolling", once: true },
        memory: { ...FRESH_MEMORY, filling: false },
        work: work("n-1"),
      },
      expected: { reason: "once", code: 0 },
    },
    {
      name: "not while the stagger keeps the next bead waiting",
      given: {
        memory: { ...FRESH_MEMORY, lastDispatchAt: NOW - 1_000 },
        config: projectWith({ dispatch_stagger_seconds: 10 }),
        work: work("n-1"),
      },
      expected: null,
    },
    { name: "not while an agent works", given: running(slot()), expected: null },
    {
      name: "not while a slot is queued",
      given: { state: stateWith(slot({ status: "queued", notBefore: NOW + 1 })) },
      expected: null,
    },
  ])("$name", ({ given, expected }) => expect(decideTick(facts(given)).end).toEqual(expected));

  test("a drain ends the run once nobody works any more", () => {
    const state = stateWith();
    append(state, { type: "control.drain", data: {} });
    expect(decideTick(facts({ state })).end).toEqual({ reason: "operator-drain", code: 4 });
  });
});

describe("control", () => {
  test("a stop is written down before its request goes, and the request before the signal matters", () => {
    const given = running(slot());
    const state = given.state ?? stateWith();
    append(state, { type: "control.stop", bead: "b-1", data: { force: false } });
    expect(effects({ ...given, state })).toEqual(["slot.stopping"]);
    append(state, {
      type: "slot.stopping",
      bead: "b-1",
      run: "r-1",
      data: { attempt: 1, why: "", force: false },
    });
    expect(effects({ ...given, state })).toEqual(["stop-agent", "consume"]);
  });

  test("a nudge waits for an agent that is about to start, and is given up where there is none", () => {
    const nudge = (state = stateWith()) => {
      append(state, { type: "control.nudge", bead: "b-1", data: { text: "hi" } });
      return state;
    };
    const starting = {
      state: nudge(stateWith(slot({ status: "dispatching" }))),
      observations: new Map([["b-1", { ...unseen, claim: "ours" as const }]]),
    };
    expect(effects(starting)).toEqual(["prepare"]);
    expect(effects({ state: nudge() })).toEqual(["consume"]);
    const given = running(slot());
    expect(effects({ ...given, state: nudge(given.state) })).toEqual(["nudge"]);
  });

  test("an interrupt stops every agent and queues its bead at no cost", () => {
    const given = running(slot());
    expect(effects({ ...given, interrupted: true, work: null })).toEqual(["slot.stopping"]);
  });
});

describe("an agent that has ended", () => {
  const refilled = (config: object = {}, how = end) =>
    effects({
      config: projectWith({ max_concurrent_slots: 1, ...config }),
      state: stateWith(slot({ bead: "a", status: "running" })),
      observations: new Map([["a", observed({ process: { kind: "ended", end: how } })]]),
      work: work("b"),
    });

  test("leaves its place before its work is brought in", () => {
    expect(refilled()).toEqual(["collect", "slot.dispatching"]);
  });

  test("keeps it where its end may say something of its runtime", () => {
    expect(refilled({}, agentEnd({ kind: "auth" }))).toEqual(["collect"]);
  });

  test("leaves it to the agent that comes next for its bead", () => {
    expect(refilled({ review: { auto: true } })).toEqual(["collect"]);
  });
});
