import type { PoolState } from "./pool-state.js";

const SPACING = { meanMs: 3000, spread: 0.5 } as const;

/** How long the next agent waits after one: 3 s, half of it more or less. Jitter goes from 0 to 1. */
export function spacingGapMs(jitter: number): number {
  const share = jitter >= 0 ? Math.min(jitter, 1) : 0;
  return Math.round(SPACING.meanMs * (1 - SPACING.spread + 2 * SPACING.spread * share));
}

/** When an adaptive pool takes its next agent; null when it does so at once. */
export function spacedUntil({ adaptive, lastAdmission }: PoolState, now: number): number | null {
  if (!adaptive || lastAdmission === null) return null;
  const until = lastAdmission.at + lastAdmission.gapMs;
  return until > now ? until : null;
}
