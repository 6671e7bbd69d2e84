const MINUTE_MS = 60_000;

export const USER_CAP = { most: 20, windowMs: 10 * MINUTE_MS } as const;
/** Above it, `each` is what a person may still send: nobody can talk the others out of a thread. */
export const THREAD_CAP = { most: 60, each: 5, windowMs: 60 * MINUTE_MS } as const;
const SILENT_MS = 60 * MINUTE_MS;

/** How far back uses are looked at; older ones change nothing. */
export const RATE_WINDOW_MS = Math.max(USER_CAP.windowMs, THREAD_CAP.windowMs, SILENT_MS);

/** A comment with commands. */
export interface CommandUse {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly user: string;
  readonly thread: number;
}

/**
 * A use in the future was noted while the clock ran ahead. It does not count: it would until the clock has caught up.
 */
function isWithin(at: number, now: number, windowMs: number): boolean {
  return at <= now && at > now - windowMs;
}

export type RateDecision =
  | { readonly kind: "ok" }
  /** `until` is when the next one may be taken up. */
  | { readonly kind: "capped"; readonly by: "person" | "thread"; readonly until: number };

/** Whether one more comment may be taken up, after the earlier ones of its repository. */
export function decideRate(earlier: readonly CommandUse[], { at, user, thread }: CommandUse): RateDecision {
  const within = (windowMs: number) => earlier.filter((use) => isWithin(use.at, at, windowMs));
  const byUser = within(USER_CAP.windowMs).filter((use) => use.user === user);
  const onThread = within(THREAD_CAP.windowMs).filter((use) => use.thread === thread);
  const own = onThread.filter((use) => use.user === user);
  if (byUser.length >= USER_CAP.most)
    return { kind: "capped", by: "person", until: nextAfter(byUser, USER_CAP.most, USER_CAP.windowMs) };
  if (onThread.length < THREAD_CAP.most || own.length < THREAD_CAP.each) return { kind: "ok" };
  const { most, each, windowMs } = THREAD_CAP;
  const until = Math.min(nextAfter(onThread, most, windowMs), nextAfter(own, each, windowMs));
  return { kind: "capped", by: "thread", until };
}

/** When so few of them are left in the window that one more may come. */
function nextAfter(uses: readonly CommandUse[], most: number, windowMs: number): number {
  const times = uses.map(({ at }) => at).sort((a, b) => a - b);
  return (times[times.length - most] ?? 0) + windowMs;
}

/** Whether a cap is told of: once in its window, given when that was done last. */
export function isCapTold(by: "person" | "thread", toldAt: number, now: number): boolean {
  return isWithin(toldAt, now, (by === "person" ? USER_CAP : THREAD_CAP).windowMs);
}

/**
 * How somebody without permission is answered, given when they were refused before: with a line when that was not
 * within the hour, else with a reaction alone, so that nobody can make koryph fill a thread.
 */
export function refusalVoice(refusals: readonly number[], now: number): "line" | "silent" {
  return refusals.some((at) => isWithin(at, now, SILENT_MS)) ? "silent" : "line";
}
