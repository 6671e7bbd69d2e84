import { describe, expect, test } from "vitest";
import type { WorkFlag } from "../../../../src/core/land/work-flag.js";
import type { NewEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import type { LedgerState } from "../../../../src/core/run/ledger/ledger-state.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { decideTick } from "../../../../src/core/run/tick/tick.js";
import {
  type Accepted,
  FRESH_MEMORY,
  type SlotObservation,
  type TickFacts,
} from "../../../../src/core/run/tick/tick-facts.js";
import { bead } from "../../../support/core/beads.js";
import {
  acceptedSlot,
  agentEnd,
  append,
  candidate,
  projectWith,
  sha,
  slot,
  stage,
  stateWith,
} from "../../../support/core/slots.js";
import { observed, tickFacts } from "../../../support/core/tick-facts.js";

const NOW = Date.parse("2026-01-01T00:00:05.000Z");
const REFUSED_AT = Date.parse("2026-01-01T00:00:00.000Z");

function facts(overrides: Partial<TickFacts> = {}): TickFacts {
  return tickFacts({ now: NOW, ...overrides });
}

function observation(overrides: Partial<SlotObservation>): Partial<TickFacts> {
  return { observations: new Map([["b-1", observed({ worktree: "ready", ...overrides })]]) };
}

/** Effects in short: kind and bead, and the types of what is appended. */
function effects(given: Partial<TickFacts>): string[] {
  return decideTick(facts(given)).effects.map((effect) => {
    if (effect.kind === "append") return effect.events.map(({ type }) => type).join("+");
    return "bead" in effect ? `${effect.kind} ${effect.bead}` : effect.kind;
  });
}

/** Beads in the landing queue, in this order; each with tokens of its own. */
function queue(...landings: readonly (readonly [string, string, Partial<Slot>?])[]): LedgerState {
  const slots = landings.map(([id, , over]) =>
    acceptedSlot({ bead: id, footprint: { reads: [], writes: [id] }, ...over }),
  );
  const state = stateWith(...slots);
  const { base, head } = candidate;
  for (const [id, branch] of landings)
    append(state, {
      type: "land.requested",
      bead: id,
      run: "r-1",
      data: { branch, base, head, method: "ff", by: "engine", allow_protected: false },
    });
  return state;
}

function refused(over: Partial<Slot> = {}): Slot {
  return acceptedSlot({
    status: "refused",
    refusal: { result: "error", code: "base_busy", detail: "why" },
    setbacks: { gate: 0, conflict: 0, style: 0, bounce: 0, error: 1 },
    at: "2026-01-01T00:00:00.000Z",
    ...over,
  });
}

const merged = (over: Partial<Slot> = {}) => acceptedSlot({ status: "merged", landed: sha("f"), ...over });
const drain: NewEvent = { type: "control.drain", data: {} };
const ready = (id: string, ...labels: string[]): TickFacts["work"] => {
  const beads = [bead({ id, labels: [`fp:${id}`, ...labels] })];
  return { ready: beads, all: beads };
};

describe("the landing queue", () => {
  test("only the head of each branch lands", () => {
    const state = queue(["a", "main"], ["b", "main"], ["c", "release"], ["d", "release"], ["e", "main"]);
    expect(effects({ state }).sort()).toEqual(["land a", "land c"]);
  });

  test("the next one's turn comes when the first is over", () => {
    const state = queue(["a", "main"], ["b", "main"]);
    const request = state.landings[0]?.id ?? "";
    append(state, {
      type: "land.landed",
      bead: "a",
      data: { request, from: candidate.base, head: candidate.head },
    });
    expect(effects({ state }).sort()).toEqual(["land b", "settle a"]);
  });

  test("what another run or a person put there lands, too", () => {
    expect(effects({ state: queue(["a", "main", { run: "old" }]) })).toEqual(["land a"]);
  });

  test("names the request that is meant", () => {
    const state = queue(["a", "main"]);
    expect(decideTick(facts({ state })).effects).toEqual([
      { kind: "land", bead: "a", request: state.landings[0]?.id },
    ]);
  });

  test("a bead that lands takes no place from an agent, but keeps its tokens", () => {
    const config = projectWith({ max_concurrent_slots: 1 });
    const state = queue(["a", "main"]);
    expect(effects({ state, config, work: ready("n-1") })).toEqual(["land a", "slot.dispatching"]);
    expect(effects({ state, config, work: ready("n-1", "fp:a") })).toEqual(["land a"]);
  });
});

describe("after the landing", () => {
  test.each<{ name: string; given: Slot; expected: string[] }>([
    { name: "a bead is closed and tidied up after", given: merged(), expected: ["settle b-1"] },
    { name: "whichever run landed it", given: merged({ run: "old" }), expected: ["settle b-1"] },
    { name: "once", given: merged({ settled: true }), expected: [] },
  ])("$name", ({ given, expected }) => expect(effects({ state: stateWith(given) })).toEqual(expected));

  test("a bead that is still open in the tracker is held back until it is closed", () => {
    const work = { ready: [bead({ id: "b-1" })], all: [bead({ id: "b-1" })] };
    const tick = decideTick(facts({ state: stateWith(merged()), work }));
    expect(tick.deferred).toMatchObject([{ refusal: { code: "merged" } }]);
    expect(effects({ state: stateWith(merged({ settled: true })), work })).toEqual(["slot.dispatching"]);
  });

  test("its tokens are free", () => {
    const state = stateWith(merged({ settled: true, footprint: { reads: [], writes: ["n-1"] } }));
    expect(effects({ state, work: ready("n-1") })).toEqual(["slot.dispatching"]);
  });
});

describe("a bead in conflict", () => {
  const work = { ready: [bead({ id: "b-1" })], all: [bead({ id: "b-1" })] };

  test("is begun anew by another run, and not by the one that gave it up", () => {
    const given = (run: string) => stateWith(acceptedSlot({ status: "conflict", run }));
    expect(effects({ state: given("old"), work })).toEqual(["slot.dispatching"]);
    const tick = decideTick(facts({ state: given("r-1"), work }));
    expect(tick.effects).toEqual([]);
    expect(tick.deferred).toMatchObject([{ refusal: { code: "blocked" } }]);
  });
});

describe("a passed slot", () => {
  const accepted: Accepted = {
    kind: "accepted",
    branch: "main",
    from: sha("a"),
    base: sha("b"),
    head: sha("c"),
    commits: 2,
  };
  const fresh = acceptedSlot({ candidate: null });
  const review = { mode: "rolling", once: false, review: true } as const;
  const refusal = { result: "commit-style", code: "", detail: "why", data: {} } as const;
  const found = { kind: "refused", refusal } as const;

  test.each<{ name: string; given: Partial<TickFacts>; expected: string[] }>([
    {
      name: "goes on with its next stage",
      given: { state: stateWith(acceptedSlot({ candidate: null, asides: [stage()] })) },
      expected: ["slot.queued"],
    },
    { name: "has its commits accepted", given: { state: stateWith(fresh) }, expected: ["accept b-1"] },
    {
      name: "is recorded as accepted",
      given: { state: stateWith(fresh), ...observation({ accepted }) },
      expected: ["slot.accepted"],
    },
    {
      name: "is refused at once for what shows when it is accepted",
      given: {
        state: stateWith(fresh),
        ...observation({
          accepted: { ...accepted, refusal: { ...refusal, result: "error", code: "undeclared" } },
        }),
      },
      expected: ["slot.accepted+slot.refused"],
    },
    {
      name: "is blocked when there is nothing to accept",
      given: { state: stateWith(fresh), ...observation({ accepted: { kind: "failed", why: "no commit" } }) },
      expected: ["slot.blocked"],
    },
    {
      name: "is looked at before anybody pays for its review",
      given: { state: stateWith(acceptedSlot()), options: review },
      expected: ["check b-1"],
    },
    {
      name: "is looked at once more when its head has moved since",
      given: { state: stateWith(acceptedSlot({ checked: sha("0") })), options: review },
      expected: ["check b-1"],
    },
    {
      name: "may be reviewed when nothing was found",
      given: {
        state: stateWith(acceptedSlot()),
        options: review,
        ...observation({ checked: { kind: "sound", base: sha("d"), head: sha("e") } }),
      },
      expected: ["slot.checked"],
    },
    {
      name: "is refused without a review for what was found",
      given: { state: stateWith(acceptedSlot()), options: review, ...observation({ checked: found }) },
      expected: ["slot.refused"],
    },
    {
      name: "is reviewed where the run asks for it",
      given: { state: stateWith(acceptedSlot({ checked: candidate.head })), options: review },
      expected: ["slot.queued"],
    },
    {
      name: "waits for a person under a manual policy",
      given: { state: stateWith(acceptedSlot()) },
      expected: ["slot.finished"],
    },
    {
      name: "lands under --direct",
      given: {
        state: stateWith(acceptedSlot()),
        options: { mode: "rolling", once: false, direct: true },
      },
      expected: ["land.requested"],
    },
    {
      name: "of another run is another run's",
      given: { state: stateWith(acceptedSlot({ run: "old" })) },
      expected: [],
    },
    {
      name: "stays where it is when the engine is interrupted",
      given: { state: stateWith(fresh), interrupted: true, work: null },
      expected: [],
    },
  ])("$name", ({ given, expected }) => expect(effects(given)).toEqual(expected));

  test("is recorded with what a person should look at, another bead's footprint in flight among it", () => {
    const state = stateWith(
      fresh,
      acceptedSlot({ bead: "b-2", footprint: { reads: [], writes: ["src/x"] } }),
    );
    const flag: WorkFlag = { kind: "undeclared", paths: ["src/x/y"], total: 1 };
    const outside = { ...accepted, flags: [flag], outside: ["src/x/y"] };
    const { effects: found } = decideTick(facts({ state, ...observation({ accepted: outside }) }));
    const flags = [flag, { kind: "in-flight", paths: ["src/x/y"], total: 1, bead: "b-2" }];
    expect(found).toContainEqual({
      kind: "append",
      events: [{ type: "slot.accepted", bead: "b-1", run: "r-1", data: expect.objectContaining({ flags }) }],
    });
  });

  test("goes on with what was checked, and back to its agent with what was found", () => {
    const state = stateWith(acceptedSlot());
    const checked = { base: sha("d"), head: sha("e") };
    append(state, { type: "slot.checked", bead: "b-1", run: "r-1", data: checked });
    expect(state.slots["b-1"]).toMatchObject({ candidate: { ...candidate, ...checked }, head: sha("e") });
    expect(effects({ state, options: review })).toEqual(["slot.queued"]);

    const bad = stateWith(acceptedSlot());
    append(bad, { type: "slot.refused", bead: "b-1", run: "r-1", data: refusal });
    expect(bad.slots["b-1"]).toMatchObject({ status: "refused", report: { kind: "style", attempt: 1 } });
    expect(decideTick(facts({ state: bad, options: review })).effects).toMatchObject([
      { events: [{ type: "slot.queued", data: { task: "implement", report: "style", counts: "style" } }] },
    ]);
  });

  test("keeps its place free for its next agent, and for nobody else", () => {
    const config = projectWith({ max_concurrent_slots: 1 });
    const state = stateWith(acceptedSlot({ candidate: null }));
    const work = ready("n-1");
    expect(effects({ state, config, work, options: review })).toEqual(["accept b-1"]);
    expect(effects({ state, config, work })).toEqual(["accept b-1", "slot.dispatching"]);
  });

  test("its next task is dispatched as the next attempt, before new beads", () => {
    const asides = [stage()];
    const state = stateWith(
      acceptedSlot({ status: "queued", task: "stage:docs", start: "resume", session: "s", asides }),
    );
    const [effect] = decideTick(facts({ state, work: ready("n-1") })).effects;
    expect(effect).toMatchObject({
      events: [
        {
          bead: "b-1",
          data: { attempt: 2, task: "stage:docs", start: "resume", asides: [{ task: "stage:docs" }] },
        },
      ],
    });
  });
});

describe("a review", () => {
  const reviewing = acceptedSlot({ status: "running", task: "review", asides: [stage({ task: "review" })] });
  const end = agentEnd({ session: null });
  const ended = (judged: SlotObservation["judged"]) => ({
    state: stateWith(reviewing),
    config: projectWith({ max_concurrent_slots: 1 }),
    ...observation({ process: { kind: "ended", end }, judged }),
  });

  test("is judged before it is concluded, and its clone is not looked at", () => {
    expect(effects(ended(null))).toEqual(["judge b-1"]);
    expect(effects(ended({ verdict: "clean", note: "" }))).toEqual(["slot.ended+slot.passed+slot.reviewed"]);
  });

  test("reports the head that was accepted as what is there", () => {
    const [effect] = decideTick(facts(ended({ verdict: "blocking", note: "" }))).effects;
    expect(effect).toMatchObject({
      events: [
        { data: { head: candidate.head, commits: 2 } },
        {},
        { data: { verdict: "blocking", head: candidate.head } },
      ],
    });
  });

  test("counts towards the budget with its own estimate", () => {
    const queued = { ...reviewing, status: "queued" as const, estimateUsd: 9, costUsd: 1 };
    const given = (budgetUsd: number) => ({
      state: stateWith(queued),
      options: { mode: "rolling", once: false, budgetUsd } as const,
    });
    expect(effects(given(1.5))).toEqual(["slot.dispatching"]);
    expect(decideTick(facts(given(1.4))).end).toMatchObject({
      reason: "budget-cap",
      unaffordable: { bead: "b-1", estimateUsd: 0.5 },
    });
  });
});

describe("a refused landing", () => {
  test("is waited for, and wakes the engine when its time has come", () => {
    const tick = decideTick(facts({ state: stateWith(refused()) }));
    expect(tick).toMatchObject({ effects: [], wakeAt: REFUSED_AT + 10_000, end: null });
    const later = facts({ state: stateWith(refused()), now: REFUSED_AT + 10_000 });
    expect(decideTick(later)).toMatchObject({
      effects: [{ kind: "append", events: [{ type: "land.requested" }] }],
      wakeAt: null,
    });
  });

  test("the earliest of several times wakes the engine", () => {
    const errors = { gate: 0, conflict: 0, style: 0, bounce: 0, error: 2 };
    const state = stateWith(
      refused({ setbacks: errors }),
      refused({ bead: "b-2" }),
      slot({ bead: "b-3", status: "queued", notBefore: NOW + 1_000 }),
    );
    expect(decideTick(facts({ state })).wakeAt).toBe(NOW + 1_000);
    delete state.slots["b-3"];
    expect(decideTick(facts({ state })).wakeAt).toBe(REFUSED_AT + 10_000);
  });

  test("that an agent can mend goes back to it at once", () => {
    const state = stateWith(refused({ refusal: { result: "gate-failed", code: "", detail: "red" } }));
    expect(decideTick(facts({ state })).effects).toMatchObject([
      { events: [{ type: "slot.queued", data: { task: "implement", report: "gate" } }] },
    ]);
  });

  test("keeps its tokens while it waits", () => {
    const state = stateWith(refused({ footprint: { reads: [], writes: ["n-1"] } }));
    expect(effects({ state, work: ready("n-1") })).toEqual([]);
  });
});

describe("a drain", () => {
  const drained = (...slots: readonly Slot[]) => {
    const state = stateWith(...slots);
    append(state, drain);
    return { state, work: ready("n-1") };
  };

  test("dispatches nothing, but lands what is in the queue", () => {
    const state = queue(["a", "main"]);
    append(state, drain);
    expect(effects({ state, work: ready("n-1") })).toEqual(["land a"]);
  });

  test("brings what has passed to its end", () => {
    const options = { mode: "rolling", once: false, direct: true } as const;
    expect(effects({ ...drained(acceptedSlot()), options })).toEqual(["land.requested"]);
  });

  test("ends the run when the last landing is settled", () => {
    expect(decideTick(facts(drained(merged()))).end).toBeNull();
    expect(decideTick(facts(drained(merged({ settled: true })))).end).toEqual({
      reason: "operator-drain",
      code: 4,
    });
  });

  test("leaves the next stage for a later run", () => {
    const given = drained(acceptedSlot({ status: "queued", task: "stage:docs", asides: [stage()] }));
    expect(decideTick(facts(given))).toMatchObject({ effects: [], end: { reason: "operator-drain" } });
  });
});

describe("an interrupt", () => {
  test("lands nothing and ends the run; the queue stays for the next one", () => {
    const tick = decideTick(facts({ state: queue(["a", "main"]), interrupted: true, work: null }));
    expect(tick).toMatchObject({ effects: [], end: { reason: "interrupted", code: 0 } });
  });

  test.each<{ name: string; given: Slot }>([
    { name: "a slot that has passed", given: acceptedSlot({ candidate: null }) },
    { name: "a refused landing that waits", given: refused() },
  ])("does not wait for $name", ({ given }) => {
    const tick = decideTick(facts({ state: stateWith(given), interrupted: true, work: null }));
    expect(tick).toMatchObject({ effects: [], end: { reason: "interrupted" } });
  });
});

describe("the run does not end while", () => {
  test.each<{ name: string; state: () => LedgerState }>([
    { name: "a slot has passed", state: () => stateWith(acceptedSlot({ candidate: null })) },
    { name: "a bead is landing", state: () => queue(["a", "main"]) },
    { name: "a person's bead is landing", state: () => queue(["a", "main", { run: "old" }]) },
    { name: "a refused landing waits", state: () => stateWith(refused()) },
    { name: "a landed bead is not settled", state: () => stateWith(merged()) },
    { name: "a landed bead of an older run is not settled", state: () => stateWith(merged({ run: "old" })) },
    {
      name: "a stage is queued for later",
      state: () => stateWith(acceptedSlot({ status: "queued", task: "stage:docs", notBefore: NOW + 9_000 })),
    },
  ])("$name", ({ state }) => {
    for (const options of [
      { mode: "rolling", once: false },
      { mode: "wave", once: false },
      { mode: "rolling", once: true },
    ] as const)
      expect(
        decideTick(facts({ state: state(), options, memory: { ...FRESH_MEMORY, filling: false } })).end,
      ).toBeNull();
  });

  test.each(["merge-pending", "blocked", "conflict"] as const)(
    "but a bead that is %s is a person's",
    (status) => {
      const state = stateWith(acceptedSlot({ status }));
      expect(decideTick(facts({ state })).end).toEqual({ reason: "drained", code: 4, passedOver: [] });
    },
  );
});
