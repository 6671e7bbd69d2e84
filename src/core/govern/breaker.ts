import { z } from "zod";
import { backoff } from "../../lib/backoff.js";

/**
 * Whether a pool's account answers at all. Times are when something happened, so that a look in between changes nothing.
 *
 * | state             | entered by                                  | left by                                    | ignores                    |
 * |-------------------|---------------------------------------------|--------------------------------------------|----------------------------|
 * | closed            | a new pool; the probe's clean end           | a report at cap 1, the third decrease      | reports while it settles   |
 * |                   |                                             | in 10 minutes: open                        |                            |
 * | open              | those; the probe's own report; a probe that | the end of its wait, which doubles from    | every report, every end    |
 * |                   | is silent for 30 minutes                    | 5 minutes to an hour: half-open            |                            |
 * | half-open         | that wait; a probe that ended otherwise     | an admission: probed                       | every report, every end    |
 * | half-open, probed | an admission                                | the probe's clean end: closed; its report, | reports and ends of others |
 * |                   |                                             | its silence: open; another end: half-open  |                            |
 */
export const Breaker = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("closed") }),
  /** `times` says how often in a row it has opened. */
  z.strictObject({ state: z.literal("open"), since: z.int(), times: z.int().min(1) }),
  z.strictObject({
    state: z.literal("half-open"),
    times: z.int().min(1),
    /** The one agent that tries whether it is over; null when none has been sent yet. */
    probe: z.strictObject({ project: z.string(), bead: z.string(), since: z.int() }).nullable(),
  }),
]);
export type Breaker = z.infer<typeof Breaker>;

/** How long a breaker stays open at first and at most, and how long its probe may say nothing. */
const BREAKER_TIMES = { firstSeconds: 300, longestSeconds: 3600, probeSilentMs: 1_800_000 } as const;

/** Whose agent it is; an empty bead is one that nobody knows. */
export interface AgentName {
  readonly project: string;
  readonly bead: string;
}

export const CLOSED_BREAKER: Breaker = { state: "closed" };

/** Opens it for the given time in a row. */
export function openBreaker(times: number, since: number): Breaker {
  return { state: "open", since, times };
}

/** The breaker after what passes by itself: a wait that is over, a probe that was silent for too long. */
export function promoteBreaker(breaker: Breaker, now: number): Breaker {
  switch (breaker.state) {
    case "closed":
      return breaker;
    case "open":
      return openUntil(breaker) > now ? breaker : { state: "half-open", times: breaker.times, probe: null };
    case "half-open": {
      if (breaker.probe === null || probedUntil(breaker.probe) > now) return breaker;
      return promoteBreaker(openBreaker(breaker.times + 1, probedUntil(breaker.probe)), now);
    }
  }
}

/** When an open breaker lets a probe through. */
export function openUntil({ since, times }: Extract<Breaker, { state: "open" }>): number {
  const { firstSeconds, longestSeconds } = BREAKER_TIMES;
  return since + backoff({ first: firstSeconds, longest: longestSeconds }, times - 1) * 1000;
}

/** When a probe's silence opens the breaker again. */
export function probedUntil({ since }: { readonly since: number }): number {
  return since + BREAKER_TIMES.probeSilentMs;
}

/** Whether the breaker waits for this very agent. A name without a bead may be the probe's, so it counts as it. */
export function isProbe(breaker: Breaker, { project, bead }: AgentName): boolean {
  if (breaker.state !== "half-open" || breaker.probe === null) return false;
  return breaker.probe.project === project && (bead === "" || breaker.probe.bead === bead);
}
