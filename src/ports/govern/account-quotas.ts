import type { GuardSetting } from "../../core/govern/guard-mode.js";
import type { QuotaUsage } from "../../core/govern/quota-level.js";

/** How this machine's accounts stand. */
export interface QuotaLook {
  /** What the quota does on this machine where neither run nor project says; null where nobody has set it. */
  readonly guard: GuardSetting | null;
  /** By pool: those of which somebody has calibrated a window. */
  readonly accounts: ReadonlyMap<string, QuotaUsage>;
}

export interface AccountQuotas {
  /** Takes its time. Throws when what was calibrated cannot be read; what cannot be measured says so. */
  look(): Promise<QuotaLook>;
}
