import { z } from "zod";
import type { QuotaWindow } from "./quota-level.js";

const ceiling = z.number().positive().nullable();

/** What an account's windows hold, as people have found out; null for a window that nobody has calibrated. */
export const QuotaCalibration = z.strictObject({ fiveHour: ceiling, weekly: ceiling });
export type QuotaCalibration = Readonly<z.infer<typeof QuotaCalibration>>;

/** An account that nobody has calibrated: its quota is advice only. */
export const UNCALIBRATED: QuotaCalibration = { fiveHour: null, weekly: null };

export type Calibration =
  | { readonly kind: "calibrated"; readonly window: QuotaWindow; readonly ceilingUsd: number }
  | { readonly kind: "refused"; readonly code: CalibrationRefusal };

export type CalibrationRefusal =
  | "usd_not_positive"
  | "percent_not_positive"
  | "percent_above_100"
  | "ceiling_not_finite";

/**
 * What a window holds, from what was spent in it and the percentage that the provider shows for it. It says nothing of
 * the other window, which stays as it is: one that nobody has calibrated goes on being left out.
 */
export function calibrate(window: QuotaWindow, observedUsd: number, observedPercent: number): Calibration {
  if (!(observedUsd > 0)) return { kind: "refused", code: "usd_not_positive" };
  if (!(observedPercent > 0)) return { kind: "refused", code: "percent_not_positive" };
  if (observedPercent > 100) return { kind: "refused", code: "percent_above_100" };
  const ceilingUsd = (observedUsd / observedPercent) * 100;
  if (!Number.isFinite(ceilingUsd)) return { kind: "refused", code: "ceiling_not_finite" };
  return { kind: "calibrated", window, ceilingUsd };
}

/** The calibration with one window's ceiling in place of what was known of it. */
export function withCeiling(
  calibration: QuotaCalibration,
  { window, ceilingUsd }: Extract<Calibration, { kind: "calibrated" }>,
): QuotaCalibration {
  return { ...calibration, [window]: ceilingUsd };
}
