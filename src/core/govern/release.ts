import { type AgentLease, hasEnded, type LeaseKey } from "./agent-lease.js";
import { CLOSED_BREAKER, isProbe } from "./breaker.js";
import { clampToNow } from "./clamp-to-now.js";
import { advancePool } from "./effective-cap.js";
import type { GovernorState } from "./governor-state.js";
import type { PoolState } from "./pool-state.js";

/** Clean is an end at which the account was seen to answer. */
export type LeaseEnd = "clean" | "failed";

/** Gives a lease back. One that nobody has, or that a later attempt took over, changes nothing. */
export function release(state: GovernorState, lease: LeaseKey, how: LeaseEnd, now: number): GovernorState {
  const known = clampToNow(state, now);
  const held = known.leases.filter(
    ({ project, bead, attempt }) =>
      project === lease.project && bead === lease.bead && attempt === lease.attempt,
  );
  return withoutLeases(known, held, how, now);
}

/** The state in which the project asks for nothing any more, so that the others share what it had. */
export function withdrawDemand(state: GovernorState, project: string): GovernorState {
  if (!state.demand.some((each) => each.project === project)) return state;
  return { ...state, demand: state.demand.filter((each) => each.project !== project) };
}

/** Takes back what nobody can be using: leases of dead processes, by `leaseId`, and those of a day ago. */
export function prune(state: GovernorState, dead: ReadonlySet<string>, now: number): GovernorState {
  const known = clampToNow(state, now);
  return withoutLeases(
    known,
    known.leases.filter((lease) => hasEnded(lease, dead, now)),
    "failed",
    now,
  );
}

/** The state without the leases; a pool whose probe is among them learns how it ended. */
export function withoutLeases(
  state: GovernorState,
  gone: readonly AgentLease[],
  how: LeaseEnd,
  now: number,
): GovernorState {
  return {
    ...state,
    leases: state.leases.filter((lease) => !gone.includes(lease)),
    pools: state.pools.map((pool) => afterEnds(advancePool(pool, now), gone, how, now)),
  };
}

/** An end that tells nothing of the account lets another probe try. A bead has one lease, so its end is the probe's. */
function afterEnds(pool: PoolState, ended: readonly AgentLease[], how: LeaseEnd, now: number): PoolState {
  const { breaker } = pool;
  if (breaker.state !== "half-open" || !ended.some((lease) => isProbe(breaker, lease))) return pool;
  if (how === "failed") return { ...pool, breaker: { ...breaker, probe: null } };
  return { ...pool, breaker: CLOSED_BREAKER, adaptedCap: 1, changedAt: now, decreases: [] };
}
