import { CLOSED_BREAKER } from "./breaker.js";
import { clampToNow } from "./clamp-to-now.js";
import { advancePool } from "./effective-cap.js";
import { type GovernorState, poolOf, usualCap, withPool } from "./governor-state.js";
import type { PoolState } from "./pool-state.js";

export interface PoolChoice extends Pick<PoolState, "pool" | "adaptive" | "hardMax"> {
  /** What a person set; null for none. */
  readonly cap: number | null;
  /** What the account's own settings say; null for nothing. */
  readonly seededCap: number | null;
}

/**
 * Sets a pool up, or anew. Without any cap it has the usual pool's. What was learned of the account stays while its cap
 * does; a pool that is no longer adaptive has no breaker.
 */
export function configurePool(state: GovernorState, choice: PoolChoice, now: number): GovernorState {
  const known = clampToNow(state, now);
  const pool = advancePool(poolOf(known, choice.pool, now), now);
  const { adaptive, hardMax } = choice;
  const cap = choice.cap ?? choice.seededCap ?? usualCap(known.pools);
  const learns = adaptive && pool.adaptive;
  return withPool(known, {
    ...pool,
    adaptive,
    cap,
    hardMax,
    ...(learns && cap === pool.cap ? {} : { adaptedCap: cap, steppedAt: now }),
    breaker: learns ? pool.breaker : CLOSED_BREAKER,
  });
}
