import { levelAt, QUOTA_LADDER, type QuotaLadder, type QuotaLevel, type QuotaUsage } from "./quota-level.js";

export type Preflight =
  /** What the five hours would come to; nulls where nobody has calibrated them. */
  | { readonly kind: "passes"; readonly fraction: number | null; readonly level: QuotaLevel | null }
  | { readonly kind: "refused"; readonly why: PreflightRefusal };

export type PreflightRefusal =
  | { readonly code: "quota_unmeasured"; readonly ceilingUsd: number }
  | {
      readonly code: "quota_exceeded";
      readonly fraction: number;
      readonly spentUsd: number;
      readonly estimateUsd: number;
      readonly ceilingUsd: number;
    };

/**
 * Whether work of that cost may be begun: its five hours must not reach the rung at which koryph stops. The week is
 * left out, since no single piece of work weighs in it.
 */
export function preflight(
  usage: Pick<QuotaUsage, "fiveHour">,
  estimateUsd: number,
  ladder: QuotaLadder = QUOTA_LADDER,
): Preflight {
  const { ceilingUsd, spentUsd } = usage.fiveHour;
  if (ceilingUsd === null) return { kind: "passes", fraction: null, level: null };
  if (spentUsd === null) return { kind: "refused", why: { code: "quota_unmeasured", ceilingUsd } };
  const fraction = (spentUsd + estimateUsd) / ceilingUsd;
  // Not below rather than from on: an estimate that is not a number is refused.
  if (!(fraction < ladder.stop))
    return { kind: "refused", why: { code: "quota_exceeded", fraction, spentUsd, estimateUsd, ceilingUsd } };
  return { kind: "passes", fraction, level: levelAt(fraction, ladder) };
}
