import { isVersionAtLeast } from "../../../lib/version.js";
import { versionIn } from "../version-in.js";

/**
 * Up to 2.1.276 `total_cost_usd` counts one run; from 2.1.277 a resumed or forked session goes on with the
 * counter it had (found by bisection from 2.1.260 to 2.1.325). `--max-budget-usd` counts one run in 2.1.197 and
 * in 2.1.325.
 */
const COUNTS_SESSIONS_SINCE = "2.1.277";

/** A version that cannot be read counts as per run: that charges too much rather than too little. */
export function claudeCostScope(version: string): "run" | "session" {
  const readable = versionIn(version);
  return readable !== null && isVersionAtLeast(readable, COUNTS_SESSIONS_SINCE) ? "session" : "run";
}
