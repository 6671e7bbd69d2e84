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
      await pause(everyMs, signal);
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
