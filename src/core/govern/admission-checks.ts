import type { AdmissionDenial } from "./admission-denial.js";
import type { AgentLease, LeaseKey } from "./agent-lease.js";
import { openUntil, probedUntil } from "./breaker.js";
import { spacedUntil } from "./dispatch-spacing.js";
import { effectiveCap } from "./effective-cap.js";
import { fairShares } from "./fair-shares.js";
import type { GovernorState } from "./governor-state.js";
import { memoryAdmits } from "./memory-admits.js";
import type { PoolState } from "./pool-state.js";

const MINUTE_MS = 60_000;

/** What an agent asks for, and what the machine has. */
export interface AdmissionWish {
  readonly project: string;
  readonly resources: readonly string[];
  /** Of the project, by kind; they count where nothing is set for the machine. */
  readonly capacities?: Readonly<Record<string, number>> | undefined;
  /** In MiB. Absent counts as an agent of the usual size. */
  readonly memoryMb?: number | undefined;
  /** Null where nobody could measure it. */
  readonly availableMb: number | null;
  readonly totalMb: number | null;
}

export interface AdmissionFacts {
  /** Without a lease of the bead's own, and with its project among those that have work. */
  readonly state: GovernorState;
  /** The pool that is asked, as of now. */
  readonly pool: PoolState;
  readonly wish: AdmissionWish;
  readonly now: number;
}

/** In this order: the first denial is the one that has to pass before any other matters. */
const CHECKS: readonly ((facts: AdmissionFacts) => AdmissionDenial | null)[] = [
  checkCeiling,
  checkBreaker,
  checkSpacing,
  checkCap,
  checkShare,
  checkResources,
  checkMemory,
];

/** Why the agent may not start now; null when it may. */
export function findDenial(facts: AdmissionFacts): AdmissionDenial | null {
  for (const check of CHECKS) {
    const denial = check(facts);
    if (denial !== null) return denial;
  }
  return null;
}

function checkCeiling({ state: { ceiling, leases } }: AdmissionFacts): AdmissionDenial | null {
  return leases.length < ceiling ? null : { code: "machine_full", ceiling, by: leases.map(keyOf) };
}

function checkBreaker({ pool: { pool, breaker } }: AdmissionFacts): AdmissionDenial | null {
  switch (breaker.state) {
    case "closed":
      return null;
    case "open":
      return { code: "breaker_open", pool, askAgainAt: openUntil(breaker) };
    case "half-open": {
      if (breaker.probe === null) return null;
      const { project, bead } = breaker.probe;
      return { code: "probe_running", pool, by: { project, bead }, askAgainAt: probedUntil(breaker.probe) };
    }
  }
}

function checkSpacing({ pool, now }: AdmissionFacts): AdmissionDenial | null {
  const askAgainAt = spacedUntil(pool, now);
  return askAgainAt === null ? null : { code: "dispatch_spacing", pool: pool.pool, askAgainAt };
}

function checkCap(facts: AdmissionFacts): AdmissionDenial | null {
  const cap = effectiveCap(facts.pool, facts.now);
  const { pool } = facts.pool;
  const holders = facts.state.leases.filter((lease) => lease.pool === pool);
  return holders.length < cap ? null : { code: "pool_full", pool, cap, by: holders.map(keyOf) };
}

function checkShare({ state, pool: poolState, wish, now }: AdmissionFacts): AdmissionDenial | null {
  const { pool } = poolState;
  const sharing = state.demand.filter((each) => each.pool === pool).map(({ project }) => project);
  const cap = effectiveCap(poolState, now);
  const minute = Math.floor(now / MINUTE_MS);
  const shares = fairShares(
    cap,
    sharing.map((project) => ({ project, demand: true })),
    minute,
  );
  const share = shares.get(wish.project) ?? 0;
  const own = state.leases.filter((lease) => lease.pool === pool && lease.project === wish.project);
  if (own.length < share) return null;
  // What cannot be divided goes to others the next minute.
  const askAgainAt = cap % sharing.length === 0 ? null : (minute + 1) * MINUTE_MS;
  return { code: "fair_share", pool, share, by: own.map(keyOf), sharing, askAgainAt };
}

function checkResources({ state: { capacities, leases }, wish }: AdmissionFacts): AdmissionDenial | null {
  for (const resource of wish.resources) {
    const holders = leases.filter(({ resources }) => resources.includes(resource));
    const capacity = ownOf(capacities, resource) ?? ownOf(wish.capacities ?? {}, resource) ?? 1;
    const [longest] = holders;
    if (holders.length >= capacity)
      return { code: "resource_at_capacity", resource, by: longest === undefined ? null : keyOf(longest) };
  }
  return null;
}

/** Kinds are people's words, and an object has inherited ones such as `constructor`. */
function ownOf(capacities: Readonly<Record<string, number>>, kind: string): number | undefined {
  return Object.hasOwn(capacities, kind) ? capacities[kind] : undefined;
}

function checkMemory({ state, wish, now }: AdmissionFacts): AdmissionDenial | null {
  const { availableMb, totalMb, memoryMb: candidateMb } = wish;
  const { memoryFloorMb: floorMb, leases } = state;
  const answer = memoryAdmits({ availableMb, totalMb, floorMb, candidateMb, leases, now });
  switch (answer.kind) {
    case "admit":
      return null;
    case "candidate-too-large":
      return { code: "memory_candidate", candidateMb: answer.candidateMb, leftMb: answer.leftMb };
    case "floor-breach": {
      const { kind: _, ...found } = answer;
      return { code: "memory_floor", ...found };
    }
  }
}

function keyOf({ project, bead, attempt }: AgentLease): LeaseKey {
  return { project, bead, attempt };
}
