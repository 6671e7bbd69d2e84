const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** A request that no engine has taken by then is told of as such: an engine looks every few seconds, and shares twice a minute. */
export const TAKEN_WITHIN_MS = 3 * MINUTE_MS;
/** Nobody looks any longer after that what became of it. */
export const WATCHED_MS = 60 * MINUTE_MS;

/** How many replies of one repository, and of all, wait for an outcome at once. Further ones are left as they are. */
export const MOST_WATCHED = { repository: 10, all: 200 } as const;

export interface WatchFacts {
  /** How long ago it was asked for. */
  readonly ageMs: number;
  /** All that was asked for in the comment has its outcome. */
  readonly settled: boolean;
  /** What was last said of the outcome is what is known now. */
  readonly told: boolean;
}

/** Whether the reply is brought up to date, and when to look again; null for never. */
export function watchRequest({ ageMs, settled, told }: WatchFacts): {
  tell: boolean;
  againMs: number | null;
} {
  if (settled || ageMs >= WATCHED_MS) return { tell: !told, againMs: null };
  if (ageMs < TAKEN_WITHIN_MS)
    return { tell: false, againMs: ageMs < MINUTE_MS ? 10 * SECOND_MS : 30 * SECOND_MS };
  return { tell: !told, againMs: 5 * MINUTE_MS };
}
