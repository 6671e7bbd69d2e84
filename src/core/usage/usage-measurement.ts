import type { QuotaWindow } from "../govern/quota-level.js";
import type { ToldLimit } from "../runtimes/spent-message.js";

/** What was spent on an account, as far as this machine can tell. */
export interface UsageMeasurement {
  /** In ms. */
  readonly at: number;
  /** In USD; null where nothing on this machine tells. */
  readonly spent: Readonly<Record<QuotaWindow, number>> | null;
  /** Where the numbers come from; with `spent: null` why there are none. */
  readonly source: UsageSource;
  /** How full the provider itself showed a window last, where records tell. */
  readonly told: readonly ToldLimit[];
  /** Lines that could not be read. */
  readonly broken: number;
  /** Answers of models without a price, counted at the dearest one. */
  readonly unpriced: number;
  /** Files so large that only their end was read. */
  readonly cut: number;
}

export type UsageSource =
  /** For what people use by themselves; koryph's agents keep records of their own. */
  | { readonly kind: "ccusage" }
  /** `tried` is why ccusage, which is installed, was of no use; null where it is not installed, or knows no such account. */
  | { readonly kind: "records"; readonly tried: CcusageProblem | null }
  | {
      readonly kind: "none";
      readonly why: "no-reader" | "no-records" | "no-folder" | "no-registry" | "unreadable" | "too-many";
    };

export type CcusageProblem = "slow" | "failed" | "not-understood";
