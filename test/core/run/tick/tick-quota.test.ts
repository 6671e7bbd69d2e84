import { describe, expect, test } from "vitest";
import type { QuotaFacts } from "../../../../src/core/run/plan/quota-refusal.js";
import { decideTick } from "../../../../src/core/run/tick/tick.js";
import type { TickFacts } from "../../../../src/core/run/tick/tick-facts.js";
import { bead } from "../../../support/core/beads.js";
import { slot, stateWith } from "../../../support/core/slots.js";
import { observed, tickFacts } from "../../../support/core/tick-facts.js";

/** So much of a hundred dollars is spent. */
function quota(spentUsd: number | null, guard: QuotaFacts["guard"] = "on"): QuotaFacts {
  const fiveHour = { ceilingUsd: 100, spentUsd };
  const weekly = { ceilingUsd: null, spentUsd: null };
  return {
    guard,
    ladder: { warn: 0.8, drain: 0.9, stop: 0.95 },
    accounts: new Map([["", { fiveHour, weekly }]]),
  };
}

const ready = (...ids: readonly string[]): TickFacts["work"] => {
  const beads = ids.map((id) => bead({ id, labels: [`fp:${id}`] }));
  return { ready: beads, all: beads };
};
const queued = slot({
  status: "queued",
  process: null,
  estimateUsd: 1,
  at: new Date(5_000_000).toISOString(),
});

/** What a tick starts, and how the run ends. */
function outcome(given: Partial<TickFacts>) {
  const { effects, end, deferred } = decideTick(tickFacts(given));
  const started = effects.flatMap((effect) =>
    effect.kind === "append"
      ? effect.events.flatMap((event) => (event.type === "slot.dispatching" ? [event.bead] : []))
      : [],
  );
  return { started, end: end?.reason ?? null, deferred: deferred.map(({ refusal }) => refusal.code) };
}

describe("a run whose account is nearly used up", () => {
  test.each<{ name: string; given: Partial<TickFacts>; expected: Partial<ReturnType<typeof outcome>> }>([
    {
      name: "starts a bead while there is room",
      given: { quota: quota(50) },
      expected: { started: ["a"], end: null },
    },
    {
      name: "ends where no new bead may be started",
      given: { quota: quota(92) },
      expected: { started: [], end: "quota-cap", deferred: ["quota_reached"] },
    },
    {
      name: "ends where nobody can tell",
      given: { quota: quota(null) },
      expected: { end: "quota-cap", deferred: ["quota_unmeasured"] },
    },
    {
      name: "goes on where the guard only talks",
      given: { quota: quota(99, "advisory") },
      expected: { started: ["a"] },
    },
    {
      name: "brings to its end what was begun",
      given: { quota: quota(92), state: stateWith(queued) },
      expected: { started: ["b-1"], end: null },
    },
    {
      name: "starts nothing at all at the last level, and leaves what was begun to the next run",
      given: { quota: quota(99), state: stateWith(queued) },
      expected: { started: [], end: "quota-cap" },
    },
    {
      name: "is over as usual where nothing is left",
      given: { quota: quota(99), work: ready() },
      expected: { end: "drained" },
    },
    {
      name: "starts what runs on another account",
      given: {
        quota: quota(99),
        work: { ready: [bead({ id: "c", labels: ["fp:c", "runtime:codex", "model:gpt-5.2"] })], all: [] },
        config: { ...tickFacts().config, allowed_models: ["gpt-5.2"] },
      },
      expected: { started: ["c"] },
    },
  ])("$name", ({ given, expected }) =>
    expect(outcome({ work: ready("a"), ...given })).toMatchObject(expected),
  );

  test("waits for the agents that are at work, and stops none of them", () => {
    const state = stateWith(slot({ estimateUsd: 1 }));
    const identity = { pid: 7, start: "1", boot: "b" };
    const observations = new Map([["b-1", observed({ process: { kind: "alive", identity } })]]);
    const { effects, end } = decideTick(
      tickFacts({ state, observations, quota: quota(99), work: ready("a") }),
    );
    expect({ effects, end }).toEqual({ effects: [], end: null });
  });

  test("ends for a person's sake first where a runtime needs one", () => {
    const pause = {
      runtime: "codex",
      model: null,
      kind: "auth",
      until: null,
      detail: "",
      times: 1,
      probe: null,
      at: "",
    } as const;
    const state = {
      ...stateWith(queued, slot({ ...queued, bead: "b-2", runtime: "codex" })),
      pauses: [pause],
    };
    expect(outcome({ state, quota: quota(99), work: ready() }).end).toBe("runtime-fault");
  });
});
