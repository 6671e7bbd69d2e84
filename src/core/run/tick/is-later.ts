/** No limit lasts longer than a week; a date beyond that is a mistake or a trick, and is not waited for. */
export const LONGEST_WAIT_MS = 8 * 24 * 3600 * 1000;

/** What two machines' clocks may differ by without one of them being wrong. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * Whether a date is still to be waited for. Waits are dates, so that another engine can go on waiting. One that was set
 * by a clock far ahead of ours, because ours was set back or the other was wrong, says nothing about how long is left of
 * it, and is over.
 */
export function isLater(date: number, setAt: string, now: number): boolean {
  return date > now && date <= now + LONGEST_WAIT_MS && !(Date.parse(setAt) > now + CLOCKS_DIFFER_MS);
}
