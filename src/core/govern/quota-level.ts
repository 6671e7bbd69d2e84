import { z } from "zod";

/** The windows in which an account's use is counted. Of two that are as full, the first is named. */
export const QUOTA_WINDOWS = [
  { window: "fiveHour", hours: 5 },
  { window: "weekly", hours: 168 },
] as const;
export type QuotaWindow = (typeof QUOTA_WINDOWS)[number]["window"];

const ASCENDS = "warn, drain and stop must ascend: 0 < warn < drain < stop <= 1";
const rung = z.number({ error: "a number above 0 and at most 1" });

/** The parts of a ceiling at which koryph warns, starts nothing more, and stops. */
export const QuotaLadder = z
  .strictObject({ warn: rung, drain: rung, stop: rung })
  .refine(({ warn, drain, stop }) => 0 < warn && warn < drain && drain < stop && stop <= 1, {
    error: ASCENDS,
  });
export type QuotaLadder = Readonly<z.infer<typeof QuotaLadder>>;

export const QUOTA_LADDER: QuotaLadder = { warn: 0.8, drain: 0.9, stop: 0.95 };

/** What one window has seen. */
export interface WindowUsage {
  /** Null where nobody has calibrated it. */
  readonly ceilingUsd: number | null;
  /** Null where nobody could measure it. */
  readonly spentUsd: number | null;
}
export type QuotaUsage = Readonly<Record<QuotaWindow, WindowUsage>>;

export type QuotaLevel = "ok" | "warn" | "drain" | "stop";

export interface QuotaStanding {
  readonly level: QuotaLevel;
  /** False where no window is: then the level says nothing. */
  readonly calibrated: boolean;
  /** The window that decides, and how much of it is spent; null where none is calibrated. */
  readonly window: QuotaWindow | null;
  readonly fraction: number | null;
}

/** How an account stands: as its worse window does. Windows that nobody has calibrated are left out. */
export function quotaLevel(usage: QuotaUsage, ladder: QuotaLadder = QUOTA_LADDER): QuotaStanding {
  let worst: QuotaStanding = { level: "ok", calibrated: false, window: null, fraction: null };
  for (const { window } of QUOTA_WINDOWS) {
    const fraction = spentFraction(usage[window]);
    if (fraction !== null && (worst.fraction === null || fraction > worst.fraction))
      worst = { level: levelAt(fraction, ladder), calibrated: true, window, fraction };
  }
  return worst;
}

/** The rung that a fraction has reached. */
export function levelAt(fraction: number, { warn, drain, stop }: QuotaLadder): QuotaLevel {
  if (fraction >= stop) return "stop";
  if (fraction >= drain) return "drain";
  return fraction >= warn ? "warn" : "ok";
}

/** How much of a window is spent; null for one that nobody has calibrated. What cannot be measured counts as spent. */
export function spentFraction({ ceilingUsd, spentUsd }: WindowUsage): number | null {
  if (ceilingUsd === null) return null;
  const fraction = spentUsd === null ? Number.NaN : Math.max(0, spentUsd) / ceilingUsd;
  return Number.isFinite(fraction) ? fraction : 1;
}
