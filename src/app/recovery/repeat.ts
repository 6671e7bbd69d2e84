import { setTimeout } from "node:timers/promises";

export interface Repeating {
  /** Returns when nothing of it runs any more. */
  stop(): Promise<void>;
}

/** One round at a time, the first at once; a round that takes long delays the next. */
export function repeat(round: (signal: AbortSignal) => Promise<void>, everyMs: number): Repeating {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await round(signal);
      // Ends early when it is stopped, and leaves nothing behind at the signal.
      await setTimeout(everyMs, undefined, { signal }).catch(() => {});
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
