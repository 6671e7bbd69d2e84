import { expect, test } from "vitest";
import type { LedgerState } from "../../../../src/core/run/ledger/ledger-state.js";
import type { BaseGate } from "../../../../src/core/run/tick/base-gate.js";
import { decideTick } from "../../../../src/core/run/tick/tick.js";
import type { Tick, TickFacts } from "../../../../src/core/run/tick/tick-facts.js";
import { bead } from "../../../support/core/beads.js";
import { slot, stateWith } from "../../../support/core/slots.js";
import { observed, tickFacts } from "../../../support/core/tick-facts.js";

const NOW = 5_000_000_000;
const UNKNOWN: BaseGate = { kind: "unknown", failure: null };
const RED: BaseGate = { kind: "red", head: "c0ffee", command: "npm test", code: 1, output: "1 failed" };
const failed = (ago: number): BaseGate => ({
  kind: "unknown",
  failure: { effect: "check-base", why: "no route", fault: "outside", tries: 1, at: NOW - ago },
});
const queued = slot({ bead: "b-9", run: "r-1", status: "queued", notBefore: 0 });
const running = slot({ bead: "b-9", run: "r-1", status: "running" });
const drain = {
  id: "e-1",
  at: "",
  actor: "a",
  request: { verb: "drain" },
} as LedgerState["requests"][number];

interface Case {
  readonly name: string;
  readonly base: BaseGate | undefined;
  readonly state?: Partial<LedgerState>;
  readonly ready?: readonly string[];
  readonly given?: Partial<TickFacts>;
  readonly does: readonly string[];
  readonly end?: string | null;
}

function tickWith({ base, state = {}, ready = ["b-1"], given = {} }: Case): Tick {
  const beads = ready.map((id) => bead({ id }));
  const work = { ready: beads, all: beads };
  return decideTick(
    tickFacts({ state: { ...stateWith(), ...state }, now: NOW, baseGate: base, work, ...given }),
  );
}

test.each<Case>([
  { name: "an unknown base is looked at before the first agent", base: UNKNOWN, does: ["check-base"] },
  {
    name: "also before a queued one goes on",
    base: UNKNOWN,
    state: { slots: { "b-9": queued } },
    ready: [],
    does: ["check-base"],
  },
  { name: "a green base lets agents start", base: { kind: "green" }, does: ["slot.dispatching"] },
  { name: "where nobody has to ask, agents start", base: undefined, does: ["slot.dispatching"] },
  { name: "a red base ends the run before any agent", base: RED, does: [], end: "gate-red-on-base" },
  {
    name: "queued beads do not keep it from ending",
    base: RED,
    state: { slots: { "b-9": queued } },
    ready: [],
    does: [],
    end: "gate-red-on-base",
  },
  { name: "without work nobody asks", base: UNKNOWN, ready: [], does: [], end: "drained" },
  { name: "without work a red base is no reason", base: RED, ready: [], does: [], end: "drained" },
  { name: "a remote that is away is waited for", base: failed(0), does: [] },
  { name: "and asked again after a while", base: failed(60_000), does: ["check-base"] },
  {
    name: "a drain asks nothing more",
    base: UNKNOWN,
    state: { requests: [drain] },
    does: [],
    end: "operator-drain",
  },
  {
    name: "nor does an interrupt",
    base: UNKNOWN,
    given: { interrupted: true, work: null },
    does: [],
    end: "interrupted",
  },
])("$name", (given) => {
  const tick = tickWith(given);
  const does = tick.effects.flatMap((effect) =>
    effect.kind === "append" ? effect.events.map(({ type }) => type) : [effect.kind],
  );
  expect({ does, end: tick.end?.reason ?? null }).toEqual({ does: given.does, end: given.end ?? null });
});

test("the end says what is red", () => {
  expect(tickWith({ name: "", base: RED, does: [] }).end).toEqual({
    reason: "gate-red-on-base",
    code: 1,
    redBase: RED,
  });
});

test("agents at work are left alone while the base is looked at or is red", () => {
  const observation = observed({
    worktree: "ready",
    process: { kind: "alive", identity: { pid: 1, start: "1", boot: "1" } },
    claim: "ours",
  });
  const given = { observations: new Map([["b-9", observation]]) };
  for (const base of [UNKNOWN, RED]) {
    const tick = tickWith({ name: "", base, state: { slots: { "b-9": running } }, given, does: [] });
    expect(tick.end).toBeNull();
    expect(tick.effects.filter(({ kind }) => kind !== "check-base")).toEqual([]);
  }
});
