import type { Breaker } from "./breaker.js";
import type { GovernorState } from "./governor-state.js";
import type { PoolState } from "./pool-state.js";

/**
 * The state as of a clock that may have been set back. What lies ahead of it is taken to have happened just now: so
 * every wait is kept in full and none lasts longer than it was meant to.
 */
export function clampToNow(state: GovernorState, now: number): GovernorState {
  return {
    ...state,
    pools: state.pools.map((pool) => clampPool(pool, now)),
    leases: state.leases.map((lease) => ({ ...lease, grantedAt: Math.min(lease.grantedAt, now) })),
    demand: state.demand.map((each) => ({ ...each, at: Math.min(each.at, now) })),
  };
}

/** The same for one pool. */
export function clampPool(pool: PoolState, now: number): PoolState {
  const { changedAt, lastAdmission } = pool;
  return {
    ...pool,
    steppedAt: Math.min(pool.steppedAt, now),
    changedAt: changedAt === null ? null : Math.min(changedAt, now),
    decreases: pool.decreases.map((at) => Math.min(at, now)),
    reports: pool.reports.map((report) => ({ ...report, at: Math.min(report.at, now) })),
    breaker: clampBreaker(pool.breaker, now),
    lastAdmission: lastAdmission && { ...lastAdmission, at: Math.min(lastAdmission.at, now) },
  };
}

function clampBreaker(breaker: Breaker, now: number): Breaker {
  switch (breaker.state) {
    case "closed":
      return breaker;
    case "open":
      return { ...breaker, since: Math.min(breaker.since, now) };
    case "half-open": {
      const { probe } = breaker;
      return { ...breaker, probe: probe && { ...probe, since: Math.min(probe.since, now) } };
    }
  }
}
