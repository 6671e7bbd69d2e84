import type { LeaseKey } from "./agent-lease.js";
import { type AgentName, isProbe, openBreaker } from "./breaker.js";
import { clampToNow } from "./clamp-to-now.js";
import { advancePool, effectiveCap, isSettling } from "./effective-cap.js";
import { type GovernorState, poolOf, withPool } from "./governor-state.js";
import type { PoolState } from "./pool-state.js";
import { type LeaseEnd, release } from "./release.js";

const DECREASE = {
  divisor: 2,
  /** When so many agents meet the limit within so long, it is no accident of one of them. */
  burstDivisor: 4,
  burstAgents: 3,
  burstMs: 30_000,
  /** So many decreases within so long open the breaker. */
  mostTimes: 3,
  mostWithinMs: 600_000,
} as const;

/** An agent that met its account's limit. */
export interface RateLimitReport extends AgentName {
  readonly pool: string;
}

/**
 * What a rate limit leads to. It always counts; it lowers the cap of an adaptive pool, or opens its breaker, unless
 * the last change is still settling. `breaker.ts` has the table of states.
 */
export function reportRateLimit(state: GovernorState, event: RateLimitReport, now: number): GovernorState {
  const known = clampToNow(state, now);
  const pool = advancePool(poolOf(known, event.pool, now), now);
  return withPool(known, reported({ ...pool, reportCount: pool.reportCount + 1 }, event, now));
}

/** How an agent ended, as far as its account is concerned. */
export type AgentEnding = LeaseEnd | "limited";

/** Gives the agent's lease back and notes what its end tells of the account, also where the lease is gone already. */
export function endAgent(
  state: GovernorState,
  agent: LeaseKey & Pick<RateLimitReport, "pool">,
  how: AgentEnding,
  now: number,
): GovernorState {
  if (how !== "limited") return release(state, agent, how, now);
  const { pool, project, bead } = agent;
  // Reported first: a probe that is gone would not be known for one.
  return release(reportRateLimit(state, { pool, project, bead }, now), agent, "failed", now);
}

function reported(pool: PoolState, event: RateLimitReport, now: number): PoolState {
  if (!pool.adaptive) return pool;
  const noted = { ...pool, reports: withReport(pool.reports, event, now) };
  const { breaker } = pool;
  switch (breaker.state) {
    case "open":
      return noted;
    case "half-open":
      return isProbe(breaker, event) ? { ...noted, breaker: openBreaker(breaker.times + 1, now) } : noted;
    case "closed":
      return isSettling(pool, now) ? noted : decreased(noted, now);
  }
}

/** One report for each agent, so that an agent that tries again and again counts once. */
function withReport(
  reports: PoolState["reports"],
  { project, bead }: AgentName,
  now: number,
): PoolState["reports"] {
  const others = reports.filter(
    (each) => now - each.at <= DECREASE.burstMs && !(each.project === project && each.bead === bead),
  );
  return [...others, { project, bead, at: now }];
}

function decreased(pool: PoolState, now: number): PoolState {
  const cap = effectiveCap(pool, now);
  if (cap === 1) return { ...pool, breaker: openBreaker(1, now) };
  const divisor = pool.reports.length >= DECREASE.burstAgents ? DECREASE.burstDivisor : DECREASE.divisor;
  const decreases = [...pool.decreases.filter((at) => now - at <= DECREASE.mostWithinMs), now];
  return {
    ...pool,
    adaptedCap: Math.max(1, Math.floor(cap / divisor)),
    changedAt: now,
    decreases,
    breaker: decreases.length >= DECREASE.mostTimes ? openBreaker(1, now) : pool.breaker,
  };
}
