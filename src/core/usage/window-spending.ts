import { QUOTA_WINDOWS, type QuotaWindow } from "../govern/quota-level.js";
import type { SpentMessage } from "../runtimes/spent-message.js";

const HOUR_MS = 3_600_000;
const FIVE_HOURS_MS = 5 * HOUR_MS;

/** How far back anything counts. */
export const LONGEST_WINDOW_MS = Math.max(...QUOTA_WINDOWS.map(({ hours }) => hours)) * HOUR_MS;

/** What a message from the future may be off: clocks differ. What lies further ahead is no time at all. */
const AHEAD_MS = 24 * HOUR_MS;

/**
 * What was spent in each window, in USD. The five hours begin, as the provider has them, with the first use after the
 * last five hours were over, at the full hour; `since` is when they began, where somebody else has found out. The week
 * is the last seven days, since nobody knows when the provider's begins.
 */
export function windowSpending(
  messages: readonly SpentMessage[],
  now: number,
  since: number | null = fiveHoursSince(messages, now),
): Readonly<Record<QuotaWindow, number>> {
  const after = (start: number) =>
    messages.reduce((sum, { at, usd }) => (at >= start && at <= now + AHEAD_MS ? sum + usd : sum), 0);
  return { fiveHour: since === null ? 0 : after(since), weekly: after(now - LONGEST_WINDOW_MS) };
}

/** When the five hours began that run now; null when none do. */
function fiveHoursSince(messages: readonly SpentMessage[], now: number): number | null {
  const times = messages.map(({ at }) => at).filter((at) => at <= now + AHEAD_MS);
  let start: number | null = null;
  for (const at of times.sort((a, b) => a - b))
    if (start === null || at >= start + FIVE_HOURS_MS) start = Math.floor(at / HOUR_MS) * HOUR_MS;
  return start !== null && now < start + FIVE_HOURS_MS ? start : null;
}
