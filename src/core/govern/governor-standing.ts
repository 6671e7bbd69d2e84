import type { AgentLease } from "./agent-lease.js";
import type { Breaker } from "./breaker.js";
import { clampToNow } from "./clamp-to-now.js";
import { advancePool, effectiveCap } from "./effective-cap.js";
import { type GovernorState, poolOf } from "./governor-state.js";
import type { PoolState } from "./pool-state.js";
import { prune } from "./release.js";

/** A pool as of now. */
export interface PoolStanding
  extends Pick<PoolState, "pool" | "adaptive" | "cap" | "hardMax" | "reportCount"> {
  /** How many agents it bears now. */
  readonly capNow: number;
  readonly breaker: Breaker;
  readonly leases: readonly AgentLease[];
  /** Projects that want its places. */
  readonly demand: readonly string[];
}

export interface GovernorStanding extends Pick<GovernorState, "ceiling" | "capacities" | "memoryFloorMb"> {
  readonly leases: readonly AgentLease[];
  readonly pools: readonly PoolStanding[];
}

/** How the machine stands, without what is left of the dead; always with the usual pool, and nothing is changed. */
export function governorStanding(
  state: GovernorState,
  dead: ReadonlySet<string>,
  now: number,
): GovernorStanding {
  const known = prune(clampToNow(state, now), dead, now);
  const { ceiling, capacities, memoryFloorMb, leases } = known;
  const names = new Set(["", ...known.pools.map(({ pool }) => pool), ...leases.map(({ pool }) => pool)]);
  const pools = [...names].sort().map((name): PoolStanding => {
    const set = poolOf(known, name, now);
    const { pool, adaptive, cap, hardMax, reportCount } = set;
    return {
      ...{ pool, adaptive, cap, hardMax, reportCount },
      capNow: effectiveCap(set, now),
      breaker: advancePool(set, now).breaker,
      leases: leases.filter((lease) => lease.pool === name),
      demand: known.demand.filter((each) => each.pool === name).map(({ project }) => project),
    };
  });
  return { ceiling, capacities, memoryFloorMb, leases, pools };
}
