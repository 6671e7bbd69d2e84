import { describe, expect, test } from "vitest";
import type { AdmissionDenial } from "../../../../src/core/govern/admission-denial.js";
import { type Denied, deniedUntil } from "../../../../src/core/run/tick/admission.js";
import { agentEnding } from "../../../../src/core/run/tick/agent-ending.js";
import { decideTick } from "../../../../src/core/run/tick/tick.js";
import { FRESH_MEMORY, type Tick, type TickFacts } from "../../../../src/core/run/tick/tick-facts.js";
import { bead } from "../../../support/core/beads.js";
import { projectWith, slot, stateWith } from "../../../support/core/slots.js";
import { tickFacts } from "../../../support/core/tick-facts.js";

const NOW = 5_000_000;
const GPU: AdmissionDenial = {
  code: "resource_at_capacity",
  resource: "gpu",
  by: { project: "x", bead: "task-3", attempt: 1 },
};
const SHARE: AdmissionDenial = {
  code: "fair_share",
  ...{ pool: "", share: 1, by: [], sharing: ["p", "x"], askAgainAt: null },
};
const POOL: AdmissionDenial = { code: "pool_full", pool: "", cap: 1, by: [] };
const FULL: AdmissionDenial = { code: "machine_full", ceiling: 1, by: [] };

const denied = (why: AdmissionDenial, given: Partial<Denied> = {}): Denied => ({
  ...{ asked: { bead: "a", pool: "", resources: ["gpu"] }, why, until: NOW + 1000 },
  ...given,
});
const config = projectWith({ runtimes: { shell: { command: ["agent"] } }, max_concurrent_slots: 4 });
const ready = (...beads: readonly (readonly [string, ...string[]])[]) => {
  const found = beads.map(([id, ...labels]) => bead({ id, labels: [`fp:${id}`, ...labels] }));
  return { ready: found, all: found };
};
const facts = (given: Partial<TickFacts> = {}) => tickFacts({ now: NOW, config, denials: [], ...given });
const queued = (bead: string, given: object = {}) =>
  slot({ bead, status: "queued", footprint: { reads: [], writes: [bead] }, ...given });

/** Beads whose agents a place is asked for. */
function asks({ effects }: Tick): string[] {
  return effects.flatMap((effect) => (effect.kind === "admit" ? [effect.asked.bead] : []));
}

describe("a place is asked for before a dispatch is recorded", () => {
  test("of a bead's first agent", () => {
    const tick = decideTick(facts({ work: ready(["a", "res:gpu"]) }));
    expect(tick.effects).toMatchObject([
      {
        kind: "admit",
        asked: { bead: "a", attempt: 1, pool: "", resources: ["gpu"] },
        granted: { effects: [{ kind: "append", events: [{ type: "slot.dispatching", bead: "a" }] }] },
      },
    ]);
    // Nothing is remembered of a dispatch that may never be.
    expect(tick.memory).toEqual(FRESH_MEMORY);
  });

  test("and of its next one", () => {
    const state = stateWith(queued("a", { attempt: 3, runtime: "codex" }));
    const tick = decideTick(facts({ state, work: ready() }));
    expect(tick.effects).toMatchObject([
      {
        kind: "admit",
        asked: { bead: "a", attempt: 4, pool: "codex" },
        granted: { effects: [{ events: [{ data: { attempt: 4 } }] }], memory: { lastDispatchAt: NOW } },
      },
    ]);
  });

  test("a bead that is given up needs none", () => {
    const state = stateWith(queued("a", { attempt: 10_000 }));
    const tick = decideTick(facts({ state }));
    expect(tick.effects).toMatchObject([{ kind: "append", events: [{ type: "slot.blocked" }] }]);
  });

  test("where no governor is asked, it is recorded at once", () => {
    const tick = decideTick(facts({ denials: undefined, work: ready(["a"]) }));
    expect(tick.effects).toMatchObject([{ kind: "append" }]);
  });
});

describe("a denial speaks for", () => {
  const work = ready(["a"], ["b"], ["c", "runtime:shell"]);
  test.each<{ name: string; why: AdmissionDenial; next: string[] }>([
    { name: "the bead alone, where a resource is taken", why: GPU, next: ["b"] },
    { name: "the project's beads of that account, where its share is", why: SHARE, next: ["c"] },
    { name: "the account, where its cap is reached", why: POOL, next: ["c"] },
    { name: "everybody, where the machine is full", why: FULL, next: [] },
  ])("$name", ({ why, next }) => {
    const given = facts({ work, denials: [denied(why)] });
    expect(asks(decideTick(given))).toEqual(next);
  });

  test.each<{ name: string; why: AdmissionDenial; next: string[] }>([
    { name: "whoever wants the same resource", why: GPU, next: ["d"] },
    {
      name: "whoever is as large",
      why: { code: "memory_candidate", candidateMb: 9, leftMb: 1 },
      next: ["c"],
    },
    {
      name: "nobody else, where an earlier attempt is",
      why: { code: "superseded", attempt: 2 },
      next: ["b"],
    },
  ])("$name", ({ why, next }) => {
    const wanted = ready(["a", "res:gpu"], ["b", "res:gpu"], ["c", "res:gpu", "res:port"], ["d"]);
    const roomy = projectWith({ resources: { gpu: { capacity: 4 } } });
    expect(asks(decideTick(facts({ config: roomy, work: wanted, denials: [denied(why)] })))).toEqual(next);
  });

  test("queued beads as well as new ones", () => {
    const state = stateWith(queued("a", { notBefore: 1 }), queued("b", { notBefore: 2 }));
    expect(asks(decideTick(facts({ state, denials: [denied(GPU)] })))).toEqual(["b"]);
    expect(asks(decideTick(facts({ state, denials: [denied(POOL)] })))).toEqual([]);
  });
});

describe("a bead without a place", () => {
  test("waits, and is asked for again at its time; the run goes on", () => {
    const given = facts({ work: ready(["a"]), denials: [denied(FULL)] });
    expect(decideTick(given)).toMatchObject({
      ...{ effects: [], end: null, wakeAt: NOW + 1000 },
      deferred: [{ bead: { id: "a" }, refusal: { code: "not_admitted", why: FULL } }],
    });
    expect(asks(decideTick({ ...given, now: NOW + 1000 }))).toEqual(["a"]);
  });

  test("so does a queued one", () => {
    const state = stateWith(queued("a"));
    expect(decideTick(facts({ state, denials: [denied(GPU)] }))).toMatchObject({
      ...{ effects: [], end: null, wakeAt: NOW + 1000 },
    });
  });

  test("keeps its wave open", () => {
    const options = { mode: "wave", once: false } as const;
    const memory = { ...FRESH_MEMORY, filling: true };
    const tick = decideTick(facts({ options, memory, work: ready(["a"]), denials: [denied(FULL)] }));
    expect(tick.memory.filling).toBe(true);
  });

  test("waits for no runtime that a person has to mend", () => {
    const state = stateWith(queued("a"));
    const requests = [{ id: "r", at: "", actor: "m", request: { verb: "drain" as const } }];
    const drained = { ...state, requests } as TickFacts["state"];
    expect(decideTick(facts({ state: drained, denials: [denied(FULL)] })).end).toMatchObject({
      reason: "operator-drain",
    });
  });
});

test.each([
  { name: "no longer than until the next look", why: FULL, until: NOW + 10_000 },
  { name: "until its time, where that comes sooner", why: spaced(NOW + 3000), until: NOW + 3000 },
  { name: "at least for a moment", why: spaced(NOW - 5), until: NOW + 1 },
  { name: "no longer, where its time is far", why: spaced(NOW + 99_000), until: NOW + 10_000 },
])("a denial holds $name", ({ why, until }) => expect(deniedUntil(why, NOW, 10)).toBe(until));

function spaced(askAgainAt: number): AdmissionDenial {
  return { code: "dispatch_spacing", pool: "", askAgainAt };
}

test.each([
  { end: { kind: "limited" }, ending: "limited" },
  { end: { kind: "limited", answered: true }, ending: "limited" },
  { end: { kind: "completed" }, ending: "clean" },
  { end: { kind: "max-turns" }, ending: "clean" },
  { end: { kind: "killed", answered: true }, ending: "clean" },
  { end: { kind: "killed" }, ending: "failed" },
  { end: { kind: "unavailable", answered: true }, ending: "failed" },
  { end: { kind: "lost" }, ending: "failed" },
] as const)("an agent that ended as $end tells that its account is $ending", ({ end, ending }) =>
  expect(agentEnding(end)).toBe(ending),
);
