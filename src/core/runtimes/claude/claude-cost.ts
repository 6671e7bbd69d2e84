import { engineSatisfies } from "../../config/engine-version.js";

/**
 * Up to 2.1.276 `total_cost_usd` counts one run; from 2.1.277 a resumed or forked session goes on with the
 * counter it had (found by bisection from 2.1.260 to 2.1.325). `--max-budget-usd` counts one run in 2.1.197 and
 * in 2.1.325.
 */
const COUNTS_SESSIONS_SINCE = "2.1.277";

/** A version that cannot be read counts as per run: that charges too much rather than too little. */
export function claudeCostScope(version: string): "run" | "session" {
  const readable = claudeVersion(version);
  return readable !== null && engineSatisfies(readable, COUNTS_SESSIONS_SINCE) ? "session" : "run";
}

/** The version in what `claude --version` prints; null when there is none. */
export function claudeVersion(text: string): string | null {
  return /\b\d{1,9}\.\d{1,9}\.\d{1,9}\b/.exec(text)?.[0] ?? null;
}

/** What this attempt cost. A counter below its baseline has begun anew, so all of it is ours. */
export function attemptCostUsd(counterUsd: number, scope: "run" | "session", baselineUsd: number): number {
  if (scope === "run" || counterUsd < baselineUsd) return counterUsd;
  return counterUsd - baselineUsd;
}
