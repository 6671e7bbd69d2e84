import type { UsageMeasurement } from "../core/usage/usage-measurement.js";

export interface AccountUsage {
  /** What was spent on an account, by the name of its pool. Never throws: what cannot be measured says so. */
  measure(pool: string): Promise<UsageMeasurement>;
}
