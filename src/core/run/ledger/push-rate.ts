const MINUTE_MS = 60_000;
/** Hosts advise at most six pushes a minute to one repository, and landings need some of them. */
const PUSHES_A_MINUTE = 4;
const ROUTINE_EVERY_MS = 30_000;

/**
 * When the next push may go out, given the times of earlier ones. What others wait for (claims, control)
 * is urgent and goes at once; the rest gathers for half a minute, and for longer while urgent pushes
 * have used the minute up.
 */
export function nextPushAt(urgency: "urgent" | "routine", pushes: readonly number[], now: number): number {
  if (urgency === "urgent") return now;
  // A clock that was set back leaves times in the future behind, which would hold every push until then.
  const past = pushes.filter((at) => at <= now).sort((a, b) => b - a);
  const afterLast = (past[0] ?? Number.NEGATIVE_INFINITY) + ROUTINE_EVERY_MS;
  const afterMinute = (past[PUSHES_A_MINUTE - 1] ?? Number.NEGATIVE_INFINITY) + MINUTE_MS;
  return Math.max(now, afterLast, afterMinute);
}

/** The times still worth remembering. */
export function recentPushes(pushes: readonly number[], now: number): number[] {
  return pushes.filter((at) => at <= now && at > now - MINUTE_MS);
}
