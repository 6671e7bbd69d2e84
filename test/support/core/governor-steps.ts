import fc from "fast-check";
import { type Admission, type AdmissionRequest, admit } from "../../../src/core/govern/admit.js";
import { type AgentLease, type LeaseKey, leaseId } from "../../../src/core/govern/agent-lease.js";
import type { GovernorState } from "../../../src/core/govern/governor-state.js";
import { type LeaseEnd, prune, release } from "../../../src/core/govern/release.js";
import { type RateLimitReport, reportRateLimit } from "../../../src/core/govern/report-rate-limit.js";
import { adaptivePool, deepFreeze, governor, HOUR, MINUTE, NOON, SECOND } from "./governor.js";

/** Something that happens on a machine, `after` so many ms, which may be negative. `pick` names a lease by its place. */
export type Step = { readonly after: number } & (
  | { readonly kind: "admit"; readonly asks: AdmissionRequest; readonly dead: readonly number[] }
  | { readonly kind: "release"; readonly pick: number; readonly how: LeaseEnd }
  | { readonly kind: "report"; readonly event: RateLimitReport }
  | { readonly kind: "prune"; readonly dead: readonly number[] }
);

/** One step as it went. */
export interface Taken {
  readonly before: GovernorState;
  readonly after: GovernorState;
  readonly now: number;
  readonly admission: Admission | null;
  /** Leases that the step gave up in so many words. */
  readonly given: readonly LeaseKey[];
  readonly dead: ReadonlySet<string>;
}

export interface Machine {
  readonly projects: readonly string[];
  readonly pools: readonly string[];
}

const ahead = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 10 * SECOND }) },
  { weight: 3, arbitrary: fc.nat({ max: 40 * MINUTE }) },
  { weight: 1, arbitrary: fc.nat({ max: 26 * HOUR }) },
);
const anyWay = fc.oneof(
  { weight: 6, arbitrary: ahead },
  { weight: 1, arbitrary: fc.integer({ min: -26 * HOUR, max: -1 }) },
);
const picks = fc.array(fc.nat({ max: 20 }), { maxLength: 2 });

/** What may happen on the machine; `back` lets its clock be set back. */
export function steps(
  { projects, pools }: Machine,
  { back }: { readonly back: boolean },
): fc.Arbitrary<Step[]> {
  const agent = { project: fc.constantFrom(...projects), bead: fc.constantFrom(..."abcdef") };
  const pool = fc.constantFrom(...pools);
  const after = back ? anyWay : ahead;
  const asks: fc.Arbitrary<AdmissionRequest> = fc.record({
    ...agent,
    pool,
    attempt: fc.nat({ max: 3 }),
    process: fc.record({ pid: fc.nat({ max: 3 }), start: fc.constant("1"), boot: fc.constant("boot") }),
    folder: fc.constant("/runs"),
    resources: fc.subarray(["port", "gpu"], { maxLength: 1 }),
    memoryMb: fc.constantFrom(undefined, 100, 4000),
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    availableMb: fc.option(fc.nat({ max: 32_000 }), { freq: 2 }),
    totalMb: fc.constant(32_000),
    dead: fc.constant(new Set<string>()),
  });
  const report = fc.record({ pool, project: agent.project, bead: fc.oneof(agent.bead, fc.constant("")) });
  const how = fc.constantFrom<LeaseEnd>("clean", "failed");
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("admit" as const), after, asks, dead: picks }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("release" as const), after, pick: fc.nat({ max: 20 }), how }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("report" as const), after, event: report }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("prune" as const), after, dead: picks }) },
  );
  return fc.array(step, { maxLength: 40 });
}

/** The machine at noon: each of its pools is adaptive, except one called `static`. */
export function machineOf({ pools }: Machine, cap: number): GovernorState {
  return governor({
    capacities: { gpu: 2 },
    pools: pools.map((pool) => adaptivePool({ pool, cap, adaptive: pool !== "static" })),
  });
}

/** Takes the steps one by one. Every state is frozen, so that a rule that changes one throws. */
export function walk(start: GovernorState, story: readonly Step[]): Taken[] {
  let state = deepFreeze(start);
  let now = NOON;
  return story.map((step) => {
    now += step.after;
    const taken = take(state, step, now);
    state = deepFreeze(taken.after);
    return taken;
  });
}

function take(before: GovernorState, step: Step, now: number): Taken {
  const none = { before, now, admission: null, given: [], dead: new Set<string>() };
  switch (step.kind) {
    case "admit": {
      const dead = idsOf(before, step.dead);
      const admission = admit(before, deepFreeze({ ...step.asks, dead }), now);
      return { ...none, after: admission.state, admission, dead };
    }
    case "release": {
      const lease = at(before, step.pick);
      if (lease === undefined) return { ...none, after: before };
      return { ...none, after: release(before, lease, step.how, now), given: [lease] };
    }
    case "report":
      return { ...none, after: reportRateLimit(before, deepFreeze(step.event), now) };
    case "prune": {
      const dead = idsOf(before, step.dead);
      return { ...none, after: prune(before, dead, now), dead };
    }
  }
}

function at({ leases }: GovernorState, pick: number): AgentLease | undefined {
  return leases[pick % Math.max(1, leases.length)];
}

function idsOf(state: GovernorState, places: readonly number[]): ReadonlySet<string> {
  return new Set(places.map((pick) => state.leases[pick]).flatMap((lease) => (lease ? leaseId(lease) : [])));
}
