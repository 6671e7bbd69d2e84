import { describe, expect, test } from "vitest";
import { DENIAL_REACH } from "../../../src/core/govern/admission-denial.js";
import { type Admission, type AdmissionRequest, admit } from "../../../src/core/govern/admit.js";
import { leaseId } from "../../../src/core/govern/agent-lease.js";
import type { GovernorState } from "../../../src/core/govern/governor-state.js";
import {
  adaptivePool,
  governor,
  HOUR,
  lease,
  leases,
  MINUTE,
  NOON,
  poolIn,
  request,
  SECOND,
} from "../../support/core/governor.js";

/** "granted", or the denial's code. */
function verdict(admission: Admission): string {
  return admission.kind === "granted" ? "granted" : admission.why.code;
}

const ask = (state: GovernorState, given: Partial<AdmissionRequest> = {}, now = NOON) =>
  admit(state, request(given), now);

const pool = adaptivePool();
/** It has all the memory that it is going to need. */
const grown = lease({ grantedAt: NOON - HOUR });
const halfOpen = { state: "half-open", times: 1, probe: null } as const;
const probe = { project: "q", bead: "held-0", since: NOON };
const elsewhere = { pool: "second" };

describe("an agent that nobody knows yet", () => {
  test.each<{
    name: string;
    state?: Partial<GovernorState>;
    asks?: Partial<AdmissionRequest>;
    now?: number;
    expected: string;
  }>([
    { name: "starts on an empty machine", expected: "granted" },
    { name: "starts beside seven", state: { leases: leases(7) }, expected: "granted" },
    { name: "does not start beside eight", state: { leases: leases(8) }, expected: "machine_full" },
    { name: "whatever pool they are in", state: { leases: leases(8, elsewhere) }, expected: "machine_full" },
    {
      name: "takes a ceiling that was set",
      state: { ceiling: 2, leases: leases(2) },
      expected: "machine_full",
    },
    {
      name: "waits for an open breaker",
      state: { pools: [adaptivePool({ breaker: { state: "open", since: NOON, times: 1 } })] },
      expected: "breaker_open",
    },
    {
      name: "may be the probe once its wait is over",
      state: { pools: [adaptivePool({ breaker: { state: "open", since: NOON - 5 * MINUTE, times: 1 } })] },
      expected: "granted",
    },
    {
      name: "waits for a probe that is under way",
      state: { pools: [adaptivePool({ breaker: { ...halfOpen, probe } })] },
      expected: "probe_running",
    },
    {
      name: "is no probe beside agents from before",
      state: { pools: [adaptivePool({ breaker: halfOpen })], leases: leases(1) },
      expected: "pool_full",
    },
    {
      name: "keeps its distance from the one before",
      state: { pools: [adaptivePool({ lastAdmission: { at: NOON - 2999, gapMs: 3000 } })] },
      expected: "dispatch_spacing",
    },
    {
      name: "which ends",
      state: { pools: [adaptivePool({ lastAdmission: { at: NOON - 3000, gapMs: 3000 } })] },
      expected: "granted",
    },
    {
      name: "keeps none in a pool that is not adaptive",
      state: { pools: [adaptivePool({ adaptive: false, lastAdmission: { at: NOON, gapMs: 3000 } })] },
      expected: "granted",
    },
    {
      name: "waits where the pool is full",
      state: { pools: [adaptivePool({ cap: 2 })], leases: leases(2) },
      expected: "pool_full",
    },
    {
      name: "is not in the way of another pool's",
      state: { pools: [adaptivePool({ cap: 2 })], leases: leases(2, elsewhere) },
      expected: "granted",
    },
    {
      name: "finds room where the pool has grown",
      state: { pools: [adaptivePool({ cap: 2, steppedAt: NOON - 5 * MINUTE })], leases: leases(2) },
      expected: "granted",
    },
    {
      name: "leaves other projects their share",
      state: { pools: [pool], leases: leases(4), demand: [{ pool: "", project: "q", at: NOON - MINUTE }] },
      expected: "fair_share",
    },
    {
      name: "takes it all when they have not asked for ten minutes",
      state: {
        pools: [pool],
        leases: leases(4),
        demand: [{ pool: "", project: "q", at: NOON - 10 * MINUTE }],
      },
      expected: "granted",
    },
    {
      name: "or ask elsewhere",
      state: { pools: [pool], leases: leases(4), demand: [{ ...elsewhere, project: "q", at: NOON }] },
      expected: "granted",
    },
    {
      name: "is not in the way of another project's share",
      state: {
        pools: [pool],
        leases: leases(4, { project: "q" }),
        demand: [{ pool: "", project: "q", at: NOON }],
      },
      expected: "granted",
    },
    {
      name: "takes a resource beside one who holds another",
      state: { leases: [lease({ resources: ["port"] })] },
      asks: { resources: ["gpu"] },
      expected: "granted",
    },
    {
      name: "waits for a resource that another holds",
      state: { leases: [lease({ resources: ["port"] })] },
      asks: { resources: ["gpu", "port"] },
      expected: "resource_at_capacity",
    },
    {
      name: "in whatever pool",
      state: { leases: [lease({ ...elsewhere, resources: ["port"] })] },
      asks: { resources: ["port"] },
      expected: "resource_at_capacity",
    },
    {
      name: "shares one of which there are two",
      state: { capacities: { port: 2 }, leases: [lease({ resources: ["port"] })] },
      asks: { resources: ["port"] },
      expected: "granted",
    },
    {
      name: "never gets one of which there is none",
      state: { capacities: { port: 0 } },
      asks: { resources: ["port"] },
      expected: "resource_at_capacity",
    },
    {
      name: "takes as many places of a resource as its project has",
      state: { leases: [lease({ resources: ["gpu"] })] },
      asks: { resources: ["gpu"], capacities: { gpu: 2 } },
      expected: "granted",
    },
    {
      name: "or fewer, where the machine has fewer",
      state: { capacities: { gpu: 1 }, leases: [lease({ resources: ["gpu"] })] },
      asks: { resources: ["gpu"], capacities: { gpu: 2 } },
      expected: "resource_at_capacity",
    },
    {
      name: "may ask for what an object has by nature",
      asks: { resources: ["constructor"] },
      expected: "granted",
    },
    {
      name: "is too large for what is left",
      state: { leases: [grown] },
      asks: { availableMb: 4096, totalMb: 16_384, memoryMb: 2049 },
      expected: "memory_candidate",
    },
    {
      name: "waits where memory is short",
      state: { leases: [grown] },
      asks: { availableMb: 2047, totalMb: 16_384 },
      expected: "memory_floor",
    },
    {
      name: "but not for other programs' memory",
      asks: { availableMb: 0, totalMb: 16_384 },
      expected: "granted",
    },
    {
      name: "takes a floor that was set",
      state: { memoryFloorMb: 100, leases: [grown] },
      asks: { availableMb: 2047, totalMb: 16_384 },
      expected: "granted",
    },
    {
      name: "has room again when a lease is a day old",
      state: { ceiling: 1, leases: [lease({ grantedAt: NOON - 24 * HOUR })] },
      expected: "granted",
    },
    {
      name: "not sooner",
      state: { ceiling: 1, leases: [lease({ grantedAt: NOON - 24 * HOUR + 1 })] },
      expected: "machine_full",
    },
    {
      name: "has room again when the one before is dead",
      state: { ceiling: 1, leases: [lease()] },
      asks: { dead: new Set([leaseId(lease())]) },
      expected: "granted",
    },
    {
      name: "not when the dead one was an earlier process of it",
      state: { ceiling: 1, leases: [lease()] },
      asks: { dead: new Set([leaseId(lease({ process: { pid: 1, start: "9", boot: "boot-0" } }))]) },
      expected: "machine_full",
    },
  ])("$name", ({ state, asks, now, expected }) => {
    expect(verdict(ask(governor(state), asks, now))).toBe(expected);
  });
});

describe("what a denial tells", () => {
  const held = { project: "p", bead: "held", attempt: 1 };

  test.each<{ name: string; state: Partial<GovernorState>; asks?: Partial<AdmissionRequest>; why: object }>([
    {
      name: "who fills the machine",
      state: { ceiling: 1, leases: [lease()] },
      why: { code: "machine_full", ceiling: 1, by: [held] },
    },
    {
      name: "when the breaker lets a probe through",
      state: { pools: [adaptivePool({ breaker: { state: "open", since: NOON - MINUTE, times: 1 } })] },
      why: { code: "breaker_open", pool: "", askAgainAt: NOON + 4 * MINUTE },
    },
    {
      name: "who is the probe, and how long it may take",
      state: { pools: [adaptivePool({ breaker: { ...halfOpen, probe } })] },
      why: {
        code: "probe_running",
        pool: "",
        by: { project: "q", bead: "held-0" },
        askAgainAt: NOON + 30 * MINUTE,
      },
    },
    {
      name: "when the next agent may start",
      state: { pools: [adaptivePool({ lastAdmission: { at: NOON - SECOND, gapMs: 2500 } })] },
      why: { code: "dispatch_spacing", pool: "", askAgainAt: NOON + 1500 },
    },
    {
      name: "who fills the pool",
      state: { pools: [adaptivePool({ cap: 1 })], leases: [lease(elsewhere), lease()] },
      why: { code: "pool_full", pool: "", cap: 1, by: [held] },
    },
    {
      name: "with whom the pool is shared",
      state: {
        pools: [adaptivePool({ cap: 2 })],
        leases: [lease()],
        demand: [{ pool: "", project: "q", at: NOON }],
      },
      why: { code: "fair_share", pool: "", share: 1, by: [held], sharing: ["q", "p"], askAgainAt: null },
    },
    {
      name: "and that the odd place comes round",
      // At noon the odd place of two projects is the first one's.
      state: { pools: [adaptivePool({ cap: 1 })], demand: [{ pool: "", project: "a", at: NOON }] },
      why: {
        ...{ code: "fair_share", pool: "", share: 0, by: [], sharing: ["a", "p"] },
        askAgainAt: NOON + MINUTE,
      },
    },
    {
      name: "who has held a resource longest",
      state: {
        capacities: { port: 2 },
        leases: [lease({ resources: ["port"] }), lease({ bead: "other", resources: ["port"] })],
      },
      asks: { resources: ["port"] },
      why: { code: "resource_at_capacity", resource: "port", by: held },
    },
    {
      name: "that nobody holds what there is none of",
      state: { capacities: { port: 0 } },
      asks: { resources: ["port"] },
      why: { code: "resource_at_capacity", resource: "port", by: null },
    },
    {
      name: "how much memory is left for it",
      state: { leases: [grown] },
      asks: { availableMb: 4096, totalMb: 16_384, memoryMb: 2049 },
      why: { code: "memory_candidate", candidateMb: 2049, leftMb: 2048 },
    },
    {
      name: "when an agent that grows has grown",
      state: { leases: [lease({ grantedAt: NOON - MINUTE })] },
      asks: { availableMb: 3000, totalMb: 16_384 },
      why: { code: "memory_floor", leftMb: -584, floorMb: 2048, askAgainAt: NOON + 9 * MINUTE },
    },
    {
      name: "which attempt is at work already",
      state: { leases: [lease({ bead: "b-1", attempt: 3 })] },
      asks: { attempt: 2 },
      why: { code: "superseded", attempt: 3 },
    },
  ])("$name", ({ state, asks, why }) => {
    expect(ask(governor(state), asks)).toMatchObject({ kind: "denied", why });
  });

  test("whom it speaks for", () => {
    expect(DENIAL_REACH).toMatchObject({ resource_at_capacity: "bead", memory_floor: "machine" });
  });
});

describe("of two obstacles the first in this order is told", () => {
  const obstacles: readonly [string, Partial<GovernorState>, Partial<AdmissionRequest>][] = [
    ["machine_full", { ceiling: 1 }, {}],
    ["probe_running", {}, {}],
    ["dispatch_spacing", {}, {}],
    ["pool_full", {}, {}],
    ["fair_share", {}, {}],
    ["resource_at_capacity", {}, { resources: ["port"] }],
    ["memory_floor", {}, { availableMb: 1, totalMb: 16_384 }],
  ];

  test.each(obstacles.map(([code], index) => ({ code, index })))("$code", ({ code, index }) => {
    // All obstacles from this one on stand in the way.
    const has = (name: string) => obstacles.findIndex(([each]) => each === name) >= index;
    const state = governor({
      ceiling: has("machine_full") ? 1 : 8,
      leases: [lease({ resources: ["port"] })],
      demand: has("fair_share") ? [{ pool: "", project: "q", at: NOON }] : [],
      pools: [
        adaptivePool({
          cap: has("pool_full") ? 1 : 2,
          breaker: has("probe_running") ? { ...halfOpen, probe } : { state: "closed" },
          lastAdmission: has("dispatch_spacing") ? { at: NOON, gapMs: 3000 } : null,
        }),
      ],
    });
    const asks = Object.assign({}, ...obstacles.slice(index).map(([, , wish]) => wish));
    expect(verdict(ask(state, asks))).toBe(code);
  });
});

describe("a grant", () => {
  test("says what the lease is", () => {
    const granted = ask(governor(), { resources: ["port", "gpu", "port"], memoryMb: 2000 });
    const expected = {
      ...{ project: "p", bead: "b-1", attempt: 1, pool: "" },
      process: { pid: 7, start: "70", boot: "boot-1" },
      resources: ["port", "gpu"],
      memoryMb: 2000,
      grantedAt: NOON,
    };
    expect(granted).toMatchObject({ kind: "granted", lease: expected, state: { leases: [expected] } });
  });

  test("takes an agent that says nothing of its memory for one of the usual size", () => {
    expect(ask(governor())).toMatchObject({ lease: { memoryMb: 1536 } });
  });

  test.each([
    { jitter: 0, gapMs: 1500 },
    { jitter: 0.5, gapMs: 3000 },
    { jitter: 1, gapMs: 4500 },
    { jitter: -1, gapMs: 1500 },
    { jitter: 7, gapMs: 4500 },
    { jitter: Number.NaN, gapMs: 1500 },
  ])("with jitter $jitter keeps the next one back for $gapMs ms", ({ jitter, gapMs }) => {
    const { state } = ask(governor({ pools: [pool] }), { jitter });
    expect(verdict(ask(state, { bead: "b-2" }, NOON + gapMs - 1))).toBe("dispatch_spacing");
    expect(verdict(ask(state, { bead: "b-2" }, NOON + gapMs))).toBe("granted");
  });

  test("while the breaker is half-open makes the agent the probe", () => {
    const { state } = ask(governor({ pools: [adaptivePool({ breaker: halfOpen })] }));
    expect(poolIn(state).breaker).toEqual({ ...halfOpen, probe: { project: "p", bead: "b-1", since: NOON } });
  });

  test("or a denial leaves the demand of its project behind, once", () => {
    const { state } = ask(ask(governor({ ceiling: 1 })).state, { bead: "b-2" }, NOON + MINUTE);
    expect(state.demand).toEqual([{ pool: "", project: "p", at: NOON + MINUTE }]);
  });
});

test("each pool remembers by itself who asked", () => {
  const twice = ask(ask(governor()).state, { ...elsewhere, bead: "b-2" }, NOON + MINUTE);
  expect(twice.state.demand).toEqual([
    { pool: "", project: "p", at: NOON },
    { ...elsewhere, project: "p", at: NOON + MINUTE },
  ]);
});

describe("a bead that has a lease", () => {
  const first = lease({ bead: "b-1", process: { pid: 7, start: "70", boot: "boot-1" } });
  const full = governor({ ceiling: 1, pools: [adaptivePool({ cap: 1 })], leases: [first] });
  const second = { attempt: 2, process: { pid: 8, start: "80", boot: "boot-1" } };

  test("asks again and has one lease, as it was", () => {
    const again = ask(full, {}, NOON + MINUTE);
    expect(again).toMatchObject({ kind: "granted", lease: first });
    expect(again.state.leases).toEqual([first]);
  });

  test("resumes with another process, on a machine that is full", () => {
    const { process } = second;
    const resumed = ask(full, { process, folder: first.folder }, NOON + MINUTE);
    expect(resumed.state.leases).toEqual([{ ...first, process, grantedAt: NOON + MINUTE }]);
  });

  test("is tried again in the place of its dead agent", () => {
    const retried = ask(full, { ...second, dead: new Set([leaseId(first)]) }, NOON + MINUTE);
    expect(retried).toMatchObject({ kind: "granted", lease: { ...second, grantedAt: NOON + MINUTE } });
    expect(retried.state.leases).toHaveLength(1);
  });

  test("lets the dead of other beads be pruned", () => {
    const state = governor({ leases: [lease(), first] });
    expect(ask(state, { dead: new Set([leaseId(lease())]) }).state.leases).toEqual([first]);
  });

  test("goes on while the breaker is open", () => {
    const breaker = { state: "open", since: NOON, times: 1 } as const;
    expect(verdict(ask(governor({ pools: [adaptivePool({ breaker })], leases: [first] }), second))).toBe(
      "granted",
    );
  });

  test("is still the probe when it is tried again", () => {
    const asProbe = ask(governor({ pools: [adaptivePool({ breaker: halfOpen })] })).state;
    const retried = ask(asProbe, { ...second, dead: new Set([leaseId(first)]) }, NOON + MINUTE);
    expect(poolIn(retried.state).breaker).toEqual(poolIn(asProbe).breaker);
  });

  test.each<{ name: string; asks: Partial<AdmissionRequest>; now?: number; expected: string }>([
    { name: "asks like any other in another pool", asks: elsewhere, expected: "granted" },
    { name: "asks like any other for another resource", asks: { resources: ["port"] }, expected: "granted" },
    { name: "of a day ago asks like any other", asks: {}, now: NOON + 24 * HOUR, expected: "granted" },
    { name: "is not taken over by an earlier attempt", asks: { attempt: 0 }, expected: "superseded" },
    {
      name: "unless its agent is dead, as when a ledger began anew",
      asks: { attempt: 0, dead: new Set([leaseId(first)]) },
      expected: "granted",
    },
  ])("$name", ({ asks, now, expected }) => {
    const asked = ask(full, asks, now);
    expect(verdict(asked)).toBe(expected);
    expect(asked.state.leases).toHaveLength(1);
  });

  test("keeps it when another pool does not take it", () => {
    const state = governor({
      pools: [pool, adaptivePool({ pool: "second", cap: 1 })],
      leases: [first, lease(elsewhere)],
    });
    const asked = ask(state, { ...second, ...elsewhere });
    expect(verdict(asked)).toBe("pool_full");
    expect(asked.state.leases).toEqual(state.leases);
  });

  test("leaves the place of the probe when it moves to another pool", () => {
    const asProbe = ask(governor({ pools: [adaptivePool({ breaker: halfOpen })] })).state;
    const moved = ask(asProbe, { ...second, ...elsewhere }, NOON + MINUTE);
    expect(poolIn(moved.state).breaker).toEqual(halfOpen);
  });
});
