import { describe, expect, test } from "vitest";
import type { AgentEnd, LeftBehind } from "../../../../src/core/model/agent-end.js";
import type { LedgerState } from "../../../../src/core/run/ledger/ledger-state.js";
import type { RuntimePause } from "../../../../src/core/run/ledger/runtime-pause.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { endEvents } from "../../../../src/core/run/tick/conclude-attempt.js";
import { keptBack } from "../../../../src/core/run/tick/pause-runtime.js";
import { decideTick } from "../../../../src/core/run/tick/tick.js";
import {
  FRESH_MEMORY,
  type SlotObservation,
  type Tick,
  type TickFacts,
} from "../../../../src/core/run/tick/tick-facts.js";
import { wordEvent } from "../../../../src/engine/word-event.js";
import { bead } from "../../../support/core/beads.js";
import { dispatching } from "../../../support/core/ledgers.js";
import { append, projectWith, slot, stage, stateWith } from "../../../support/core/slots.js";
import { observed, tickFacts } from "../../../support/core/tick-facts.js";

const NOW = 5_000_000_000;
const recently = new Date(NOW).toISOString();
const DAY_MS = 86_400_000;

function pause(overrides: Partial<RuntimePause> = {}): RuntimePause {
  const until = NOW + 60_000;
  const told = { runtime: "claude", model: null, kind: "limited", detail: "429", at: recently } as const;
  return { ...told, until, times: 1, probe: null, ...overrides };
}

const limited: AgentEnd = {
  kind: "limited",
  detail: "429",
  session: "s",
  costUsd: 0,
  costKnown: true,
  retryAt: null,
};
const nothing: LeftBehind = { head: null, began: null, commits: 0, dirty: false, said: null };

/** What an agent's end says about its runtime; undefined when it says nothing. */
function told(end: Partial<AgentEnd>, of: Partial<Slot> = {}, pauses: readonly RuntimePause[] = []) {
  const facts = { slot: slot(of), end: { ...limited, ...end }, left: nothing, now: NOW, pauses };
  return endEvents(facts).find(({ type }) => type.startsWith("runtime."));
}

test("a runtime is paused also by an agent whose work nobody could read", () => {
  const failed = { code: "effect-failed", effect: "collect", times: 3, detail: "EACCES" } as const;
  const before = [pause({ probe: "b-1", until: NOW - 1 })];
  const facts = { slot: slot(), end: limited, left: nothing, now: NOW, pauses: before, failed };
  const types = endEvents(facts).map(({ type }) => type);
  expect(types).toEqual(["slot.ended", "slot.blocked", "runtime.paused"]);
});

describe("how long a runtime is paused", () => {
  const probed = (times: number, overrides: Partial<RuntimePause> = {}) => [
    pause({ times, probe: "b-1", until: NOW - 1, ...overrides }),
  ];

  test.each<{
    name: string;
    end: Partial<AgentEnd>;
    pauses?: readonly RuntimePause[];
    until: number | null;
    times: number;
  }>([
    { name: "a quarter of a minute at first", end: {}, until: NOW + 15_000, times: 1 },
    {
      name: "twice as long when the agent that tried met it again",
      end: {},
      pauses: probed(1),
      until: NOW + 30_000,
      times: 2,
    },
    { name: "a quarter of an hour at most", end: {}, pauses: probed(30), until: NOW + 900_000, times: 31 },
    {
      name: "five minutes at most for a provider that is down",
      end: { kind: "unavailable" },
      pauses: probed(30),
      until: NOW + 300_000,
      times: 31,
    },
    {
      name: "no longer for agents that had been at work before it began",
      end: {},
      pauses: [pause({ probe: "b-9", times: 3 })],
      until: NOW + 60_000,
      times: 3,
    },
    { name: "until the time that was told", end: { retryAt: NOW + DAY_MS }, until: NOW + DAY_MS, times: 1 },
    { name: "for as long as was asked for", end: { retryAfterMs: 45_000 }, until: NOW + 45_000, times: 1 },
    {
      name: "not until a time that nobody can mean",
      end: { retryAt: NOW + 9 * DAY_MS },
      until: NOW + 15_000,
      times: 1,
    },
    { name: "not for less than our own wait", end: { retryAt: NOW + 1 }, until: NOW + 15_000, times: 1 },
    { name: "for good when a credential was refused", end: { kind: "auth" }, until: null, times: 1 },
    { name: "for good when nothing is left to pay with", end: { kind: "billing" }, until: null, times: 1 },
    {
      name: "for good when the program does not start",
      end: { kind: "start-failed" },
      until: null,
      times: 1,
    },
  ])("$name", ({ end, pauses, until, times }) => {
    expect(told(end, {}, pauses)).toMatchObject({
      type: "runtime.paused",
      data: { runtime: "claude", model: null, until, times },
    });
  });

  test("an unknown model pauses that model alone, be it a reviewer's", () => {
    const reviewing = { task: "review", asides: [stage({ task: "review", model: "opus" })] };
    expect(told({ kind: "unknown-model" }, reviewing)?.data).toMatchObject({ model: "opus", until: null });
  });
});

describe("an agent that tries whether it is over", () => {
  const tried = [pause({ until: NOW - 1, probe: "b-1" }), pause({ model: "sonnet", probe: "b-1" })];

  test.each([
    { kind: "completed", resumes: 2 },
    { kind: "failed", resumes: 2 },
    { kind: "refused", resumes: 2 },
    { kind: "killed", resumes: 0 },
    { kind: "stopped", resumes: 0 },
    { kind: "incomplete", resumes: 0 },
  ] as const)("and ends as $kind resumes $resumes", ({ kind, resumes }) => {
    const facts = { slot: slot(), end: { ...limited, kind }, left: nothing, now: NOW, pauses: tried };
    expect(endEvents(facts).filter(({ type }) => type === "runtime.resumed")).toHaveLength(resumes);
  });

  test("and is answered resumes while it is at work; another agent's answer says nothing", () => {
    const state = stateWith(slot(), slot({ bead: "b-2" }));
    state.pauses = [pause({ until: NOW - 1, probe: "b-1" })];
    const alive = (answered: boolean): SlotObservation => ({
      ...unseen,
      process: { kind: "alive", identity: { pid: 7, start: "1", boot: "b" }, answered },
    });
    const seen = (one: boolean, two: boolean) =>
      appended(
        decide({
          state,
          observations: new Map([
            ["b-1", alive(one)],
            ["b-2", alive(two)],
          ]),
        }),
      );
    expect(seen(true, false)).toEqual(["runtime.resumed b-1"]);
    expect(seen(false, true)).toEqual([]);
  });
});

describe("what is folded", () => {
  const paused = (id: string, data: object) => ({
    type: "runtime.paused" as const,
    bead: id,
    run: "r-1",
    data: { runtime: "claude", kind: "limited", until: 1_000, times: 1, detail: "429", ...data },
  });
  const dispatch = (id: string, data: object = {}) => ({
    type: "slot.dispatching" as const,
    bead: id,
    run: "r-1",
    data: { ...dispatching, runtime: "claude", ...data },
  });

  function folded(...events: Parameters<typeof append>[1][]): LedgerState["pauses"] {
    const state = stateWith();
    append(state, ...events);
    return state.pauses;
  }

  test("agents that were at work when it began make it longer, never shorter", () => {
    const pauses = folded(
      paused("a", { until: 5_000 }),
      paused("b", { until: 3_000 }),
      paused("c", { until: 9_000 }),
    );
    expect(pauses).toMatchObject([{ until: 9_000, times: 1, probe: null }]);
  });

  test("whoever is dispatched meanwhile tries, and has the last word", () => {
    const events = [paused("a", { until: 5_000 }), dispatch("b"), paused("b", { until: 2_000, times: 2 })];
    expect(folded(...events.slice(0, 2))).toMatchObject([{ probe: "b" }]);
    expect(folded(...events)).toMatchObject([{ until: 2_000, times: 2, probe: null }]);
  });

  test("what needs a person is not made a mere wait by an agent that was at work before", () => {
    const pauses = folded(paused("a", { kind: "auth", until: null }), paused("b", {}));
    expect(pauses).toMatchObject([{ kind: "auth", until: null }]);
  });

  test("an agent of another runtime or model tries nothing", () => {
    const unknown = paused("a", { kind: "unknown-model", model: "opus", until: null });
    expect(folded(unknown, dispatch("b", { model: "sonnet" }))).toMatchObject([{ probe: null }]);
    expect(folded(paused("a", {}), dispatch("b", { runtime: "codex" }))).toMatchObject([{ probe: null }]);
  });

  test("a new run tries everything once", () => {
    const started = { mode: "rolling", engine_version: "1", budget_usd: null, resumed: true } as const;
    const pauses = folded(paused("a", { kind: "auth", until: null }), dispatch("b"), {
      type: "run.started",
      run: "r-2",
      data: started,
    });
    expect(pauses).toMatchObject([{ kind: "auth", until: 0, probe: null }]);
  });

  test("an answer ends it, for that model where it was one", () => {
    const opus = paused("a", { kind: "unknown-model", model: "opus", until: null });
    const resumed = { type: "runtime.resumed" as const, run: "r-1", data: { runtime: "claude" } };
    expect(folded(paused("a", {}), opus, resumed)).toMatchObject([{ model: "opus" }]);
  });

  test("a kind that only a newer koryph knows is waited out", () => {
    expect(folded(paused("a", { kind: "eclipse" }))).toMatchObject([{ kind: "unavailable" }]);
  });
});

describe("what is kept back", () => {
  const agent = { runtime: "claude", model: "sonnet" };

  test.each<{ name: string; pauses: readonly RuntimePause[]; slots?: readonly Slot[]; kept: boolean }>([
    { name: "nothing on a runtime that is not paused", pauses: [pause({ runtime: "codex" })], kept: false },
    { name: "everything until the time has come", pauses: [pause()], kept: true },
    { name: "everything that needs a person", pauses: [pause({ until: null })], kept: true },
    { name: "the first agent after that not", pauses: [pause({ until: NOW })], kept: false },
    { name: "another model not", pauses: [pause({ model: "opus", until: null })], kept: false },
    {
      name: "the others while one agent tries",
      pauses: [pause({ until: NOW, probe: "b-1" })],
      slots: [slot()],
      kept: true,
    },
    {
      name: "nobody any more once that one has ended",
      pauses: [pause({ until: NOW, probe: "b-1" })],
      slots: [slot({ status: "queued" })],
      kept: false,
    },
    {
      name: "nobody by a clock that was far ahead",
      pauses: [pause({ at: new Date(NOW + 61_000).toISOString(), until: NOW + 90_000 })],
      kept: false,
    },
  ])("$name", ({ pauses, slots = [], kept }) => {
    const state = { ...stateWith(...slots), pauses: [...pauses] };
    expect(keptBack(state, agent, NOW) !== null).toBe(kept);
  });
});

const unseen = observed({ worktree: "ready", claim: "ours" });

function decide(overrides: Partial<TickFacts>): Tick {
  const config = projectWith({ max_concurrent_slots: 6, runtimes: { own: { command: ["x"] } } });
  return decideTick(tickFacts({ now: NOW, config, ...overrides }));
}

/** Type and bead of what is appended, but for the starts of agents that are seen alive. */
function appended({ effects }: Tick): string[] {
  return effects
    .flatMap((effect) => (effect.kind === "append" ? effect.events : []))
    .map((event) => `${event.type} ${event.bead}`);
}

describe("the run", () => {
  const queued = (id: string, overrides: Partial<Slot> = {}) =>
    slot({ bead: id, status: "queued", process: null, footprint: { reads: [], writes: [id] }, ...overrides });
  const ready = (...beads: readonly { id: string; labels?: readonly string[] }[]) => {
    const all = beads.map(({ id, labels = [] }) => bead({ id, labels: [`fp:${id}`, ...labels] }));
    return { ready: all, all };
  };
  const state = (pauses: RuntimePause[], ...slots: readonly Slot[]) => ({ ...stateWith(...slots), pauses });

  test("waits with all beads for one time, and wakes when it has come", () => {
    const tick = decide({ state: state([pause()], queued("a"), queued("b")), work: ready({ id: "c" }) });
    expect(tick).toMatchObject({ effects: [], end: null, wakeAt: NOW + 60_000 });
  });

  test("stays alive for beads that no agent has had yet", () => {
    const tick = decide({ state: state([pause()]), work: ready({ id: "c" }) });
    expect(tick).toMatchObject({ effects: [], end: null, wakeAt: NOW + 60_000 });
  });

  test("sends one agent when the time has come, and the next only when that one was answered", () => {
    const given = state([pause({ until: NOW })], queued("a"), queued("b"));
    const first = decide({ state: given });
    expect(appended(first)).toEqual(["slot.dispatching a"]);
    for (const effect of first.effects)
      if (effect.kind === "append") append(given, ...effect.events.map(wordEvent));
    expect(appended(decide({ state: given }))).toEqual([]);
    append(given, { type: "runtime.resumed", run: "r-1", bead: "a", data: { runtime: "claude" } });
    expect(appended(decide({ state: given }))).toEqual(["slot.dispatching b"]);
  });

  test("goes on with beads of other runtimes", () => {
    const work = ready({ id: "a" }, { id: "b", labels: ["runtime:own"] });
    expect(appended(decide({ state: state([pause({ until: null })]), work }))).toEqual([
      "slot.dispatching b",
    ]);
  });

  test.each([
    { name: "a bead that is queued", slots: [queued("a")], work: ready() },
    { name: "a bead that no agent has had", slots: [], work: ready({ id: "a" }) },
  ])("ends with exit code 1 when $name needs what a person has to mend", ({ slots, work }) => {
    const tick = decide({ state: state([pause({ kind: "auth", until: null })], ...slots), work });
    expect(tick.end).toEqual({ reason: "runtime-fault", code: 1 });
  });

  test("does not end while something else can run or waits", () => {
    const auth = pause({ kind: "auth", until: null });
    const other = queued("b", { runtime: "own", notBefore: NOW + 5_000 });
    expect(decide({ state: state([auth], queued("a"), other) }).end).toBeNull();
    expect(decide({ state: state([auth, pause({ runtime: "own" })], queued("a"), other) }).end).toBeNull();
  });

  test("ends as it would where nothing needs the runtime that is paused", () => {
    expect(decide({ state: state([pause({ kind: "auth", until: null })]) }).end).toMatchObject({
      reason: "drained",
    });
  });

  test("starts nobody in the tick in which an agent met a limit", () => {
    const observed = { ...unseen, process: { kind: "ended", end: limited } as const, left: nothing };
    const tick = decide({
      state: state([], slot()),
      observations: new Map([["b-1", observed]]),
      work: ready({ id: "c" }),
    });
    expect(appended(tick)).toEqual(["slot.ended b-1", "slot.queued b-1", "runtime.paused b-1"]);
    expect(tick.memory).toEqual(FRESH_MEMORY);
  });

  test("a wave that waits for a runtime is still to be filled", () => {
    const options = { mode: "wave", once: true } as const;
    const tick = decide({ state: state([pause()]), work: ready({ id: "a" }, { id: "b" }), options });
    expect(tick).toMatchObject({ end: null, memory: { filling: true } });
  });
});
