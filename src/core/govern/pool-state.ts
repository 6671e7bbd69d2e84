import { z } from "zod";
import { Breaker, CLOSED_BREAKER } from "./breaker.js";

const Cap = z.int().min(1);
const Time = z.int();

/**
 * The agents of one account, and how many of them it bears. Times are in ms.
 *
 * | its cap  | entered by                                | left by                                | ignores         |
 * |----------|-------------------------------------------|----------------------------------------|-----------------|
 * | fixed    | configurePool: not adaptive               | configurePool                          | reports, time   |
 * | growing  | configurePool: adaptive; two minutes of   | a report: settling, at a half or a     | the end of any  |
 * |          | settling                                  | quarter, or the breaker opens          | agent           |
 * | settling | a decrease; the breaker's closing, at 1   | two minutes                            | reports, growth |
 * | broken   | the breaker's opening                     | the breaker's closing (`breaker.ts`)   | growth          |
 */
export const PoolState = z.strictObject({
  /** The account's name; empty for the usual one. */
  pool: z.string(),
  /** Whether reports of rate limits move the cap. */
  adaptive: z.boolean(),
  /** As set; where the adaptive cap starts from. */
  cap: Cap,
  /** The adaptive cap grows no further; null for twice the cap. */
  hardMax: Cap.nullable(),
  /** The adaptive cap at the last step or decrease. `effectiveCap` tells it as of now. */
  adaptedCap: Cap,
  steppedAt: Time,
  /** The last decrease, or the breaker's last closing; null when there was none. */
  changedAt: Time.nullable(),
  /** Those of the last ten minutes. */
  decreases: z.array(Time).readonly(),
  /** The last report of each agent, in the last half minute. */
  reports: z.array(z.strictObject({ project: z.string(), bead: z.string(), at: Time })).readonly(),
  /** Since the pool is known, whether they moved the cap or not. */
  reportCount: z.int().min(0),
  breaker: Breaker,
  /** The agent admitted last, and how long the next one waits after it; null before the first. */
  lastAdmission: z.strictObject({ at: Time, gapMs: z.int().min(0) }).nullable(),
});
export type PoolState = Readonly<z.infer<typeof PoolState>>;

/** A pool that nothing has happened to yet. */
export function newPool(
  settings: Pick<PoolState, "pool" | "adaptive" | "cap" | "hardMax">,
  now: number,
): PoolState {
  return {
    ...settings,
    adaptedCap: settings.cap,
    steppedAt: now,
    changedAt: null,
    decreases: [],
    reports: [],
    reportCount: 0,
    breaker: CLOSED_BREAKER,
    lastAdmission: null,
  };
}
