import { QUOTA_LADDER, type QuotaLadder } from "./quota-level.js";

/**
 * How many agents may be at work as an account fills up: all of them up to `warn`, none from `drain` on, and fewer and
 * fewer in between, though at least one. A fraction of null is that of an account without a calibrated window.
 */
export function scaledWidth(
  fraction: number | null,
  width: number,
  { warn, drain }: QuotaLadder = QUOTA_LADDER,
): number {
  if (fraction === null || fraction <= warn) return width;
  // Not below rather than from on: a fraction that is not a number lets nobody start.
  if (!(fraction < drain) || width < 1) return 0;
  const part = (fraction - warn) / (drain - warn);
  return Math.max(1, Math.round(width - part * (width - 1)));
}
