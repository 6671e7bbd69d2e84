import { promoteBreaker } from "./breaker.js";
import { clampPool } from "./clamp-to-now.js";
import type { PoolState } from "./pool-state.js";

const GROWTH = { quietMs: 300_000, settleMs: 120_000, hardMaxTimesCap: 2 } as const;

/**
 * How many agents a pool bears now: the cap as set while it is not adaptive. Else one more after every five quiet
 * minutes, 0 while the breaker is open, and 1, the probe, while it is half-open. Apart from an open breaker it is
 * never less than 1 nor more than the hard maximum.
 */
export function effectiveCap(state: PoolState, now: number): number {
  const pool = advancePool(state, now);
  if (!pool.adaptive) return withinMax(pool.cap, pool);
  switch (pool.breaker.state) {
    case "open":
      return 0;
    case "half-open":
      return 1;
    case "closed":
      return withinMax(pool.adaptedCap, pool);
  }
}

/** The pool after what time alone has brought: growth, and what the breaker does by itself. */
export function advancePool(state: PoolState, now: number): PoolState {
  const pool = clampPool(state, now);
  if (!pool.adaptive) return pool;
  const breaker = promoteBreaker(pool.breaker, now);
  return breaker.state === "closed" ? grown(pool, now) : { ...pool, breaker };
}

/** After a change the cap moves neither way: agents that were at work before it go on meeting the old limit. */
export function isSettling({ changedAt }: Pick<PoolState, "changedAt">, now: number): boolean {
  return changedAt !== null && now < changedAt + GROWTH.settleMs;
}

/** A report that counts ends the quiet by changing the cap, so all the time since the last change was quiet. */
function grown(pool: PoolState, now: number): PoolState {
  const settled = pool.changedAt === null ? pool.steppedAt : pool.changedAt + GROWTH.settleMs;
  const quietSince = Math.max(settled, pool.steppedAt);
  const steps = Math.floor((now - quietSince) / GROWTH.quietMs);
  if (steps < 1) return pool;
  const adaptedCap = withinMax(pool.adaptedCap + steps, pool);
  return { ...pool, adaptedCap, steppedAt: quietSince + steps * GROWTH.quietMs };
}

function withinMax(cap: number, { cap: set, hardMax }: PoolState): number {
  return Math.max(1, Math.min(cap, hardMax ?? set * GROWTH.hardMaxTimesCap));
}
