import { expect, test } from "vitest";
import type { AgentLease } from "../../../../src/core/govern/agent-lease.js";
import { dispatchRefusalText } from "../../../../src/core/replies/schedule/schedule.js";
import { admitPlan, type SeenMachine } from "../../../../src/core/run/plan/admit-plan.js";
import { planDispatch } from "../../../../src/core/run/plan/plan-dispatch.js";
import { waitedFor } from "../../../../src/core/run/plan/waited-for.js";
import { bead, ids } from "../../../support/core/beads.js";
import { adaptivePool, governor, lease, NOON } from "../../../support/core/governor.js";
import { projectWith, slot, stateWith } from "../../../support/core/slots.js";

const frontier = [
  bead({ id: "a", labels: ["fp:a"] }),
  bead({ id: "b", labels: ["fp:b", "res:gpu"] }),
  bead({ id: "c", labels: ["fp:c", "runtime:own"] }),
  bead({ id: "d", labels: ["fp:d"] }),
];
const config = projectWith({
  max_concurrent_slots: 8,
  runtimes: { own: { command: ["./agent"] } },
  resources: { gpu: { capacity: 1, mem_mb: 8_000 }, port: { capacity: 2 } },
});
const plan = planDispatch({ config, beads: frontier, frontier });
const theirs = (given: Partial<AgentLease>) => lease({ project: "x", bead: "task-3", ...given });
const machine = (given: Parameters<typeof governor>[0], seen: Partial<SeenMachine> = {}): SeenMachine => ({
  ...{ state: governor(given), dead: new Set(), availableMb: null, totalMb: null, now: NOON },
  ...seen,
});

test.each<{ name: string; seen: SeenMachine | { problem: string }; dispatch: string[]; why: string[] }>([
  { name: "an idle machine bears all", seen: machine({}), dispatch: ["a", "b", "c", "d"], why: [] },
  {
    name: "agents take their places one after the other",
    seen: machine({ ceiling: 2 }),
    dispatch: ["a", "b"],
    why: ["machine_full", "machine_full"],
  },
  {
    name: "what somebody else holds keeps back whoever wants it",
    seen: machine({ leases: [theirs({ resources: ["gpu"] })] }),
    dispatch: ["a", "c", "d"],
    why: ["resource_at_capacity"],
  },
  {
    name: "a full account keeps back its own beads",
    seen: machine({ pools: [adaptivePool({ cap: 1, adaptedCap: 1 })], leases: [theirs({})] }),
    dispatch: ["c"],
    why: ["pool_full", "pool_full", "pool_full"],
  },
  {
    name: "agents of an adaptive account that start apart are no less planned",
    seen: machine({ pools: [adaptivePool()] }),
    dispatch: ["a", "b", "c", "d"],
    why: [],
  },
  {
    name: "the memory of a resource is its bead's",
    seen: machine({ leases: [theirs({ grantedAt: 0 })] }, { availableMb: 9_000, totalMb: 16_000 }),
    dispatch: ["a", "c", "d"],
    why: ["memory_candidate"],
  },
  {
    name: "nothing is planned where nobody knows",
    seen: { problem: "it is broken" },
    dispatch: [],
    why: frontier.map(() => "governor_unavailable"),
  },
])("$name", ({ seen, dispatch, why }) => {
  const made = admitPlan(plan, seen, config);
  expect(ids(made.dispatch.map((item) => item.bead))).toEqual(dispatch);
  expect(made.deferred.map(({ refusal }) => refusal.code === "not_admitted" && refusal.why.code)).toEqual(
    why,
  );
});

test("who waits is told for whom", () => {
  const seen = machine({ leases: [theirs({ resources: ["gpu"] })] });
  const [first] = admitPlan(plan, seen, config).deferred;
  expect(first && dispatchRefusalText(first.refusal)).toBe("res:gpu is held by task-3 of project x");
});

const queued = slot({ bead: "b", run: "r-1", status: "queued", resources: ["gpu"], notBefore: 0 });
const underWay = (...slots: (typeof queued)[]) => ({
  ...stateWith(...slots),
  run: { id: "r-1", startedAt: "", mode: "rolling", ended: null } as never,
});

test.each([
  { name: "nothing, where there are places", seen: machine({}), slots: [queued], waits: [] },
  {
    name: "what keeps everybody waiting",
    seen: machine({ ceiling: 1, leases: [theirs({})] }),
    slots: [queued],
    waits: [[null, "machine_full"]],
  },
  {
    name: "what keeps a queued bead waiting",
    seen: machine({ leases: [theirs({ resources: ["gpu"] })] }),
    slots: [queued],
    waits: [["b", "resource_at_capacity"]],
  },
  {
    name: "nothing of a bead whose time has not come",
    seen: machine({ leases: [theirs({ resources: ["gpu"] })] }),
    slots: [{ ...queued, notBefore: NOON + 1 }],
    waits: [],
  },
  {
    name: "nothing, where the run has as many agents as it wants",
    seen: machine({ ceiling: 1, leases: [theirs({})] }),
    slots: Array.from({ length: 8 }, (_, n) => slot({ bead: `s-${n}`, run: "r-1" })),
    waits: [],
  },
])("a run waits for $name", ({ seen, slots, waits }) => {
  const found = waitedFor(seen, config, underWay(...slots), NOON);
  expect(found.map(({ bead, why }) => [bead, why.code])).toEqual(waits);
});

test("a run that is over waits for nothing", () => {
  const seen = machine({ ceiling: 1, leases: [theirs({})] });
  expect(waitedFor(seen, config, stateWith(queued), NOON)).toEqual([]);
});
