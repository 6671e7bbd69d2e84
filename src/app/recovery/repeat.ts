import { setTimeout } from "node:timers/promises";

export interface Repeating {
  /** Returns when nothing of it runs any more. */
  stop(): Promise<void>;
}

/** A timer stands still while the machine sleeps, so the clock is looked at again and again. */
const LOOK_MS = 1_000;

interface Rhythm {
  /** From the end of one round to the begin of the next. */
  readonly everyMs: number;
  readonly now: () => number;
}

/** One round at a time, the first at once; a round that takes long delays the next. */
export function repeat(round: (signal: AbortSignal) => Promise<void>, { everyMs, now }: Rhythm): Repeating {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await round(signal);
      const ended = now();
      for (let waited = 0; !signal.aborted && waited < everyMs; waited = now() - ended) {
        // A clock that was put back does not tell how long it has been.
        if (waited < 0) break;
        // Ends early when it is stopped, and leaves nothing behind at the signal.
        await setTimeout(Math.min(LOOK_MS, everyMs - waited), undefined, { signal }).catch(() => {});
      }
    }
  }
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
