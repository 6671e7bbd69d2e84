const MINUTE = 60_000;
const TIMES = [1, 5, 15, 30].map((minutes) => minutes * MINUTE);
const THEN_EVERY = 30 * MINUTE;

/** When a wait that has lasted so long is worth its next word: after 1, 5, 15 and 30 minutes, then every 30. */
export function nextWordAfter(elapsedMs: number): number {
  return TIMES.find((at) => at > elapsedMs) ?? (Math.floor(elapsedMs / THEN_EVERY) + 1) * THEN_EVERY;
}
