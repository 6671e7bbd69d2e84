interface Timer {
  readonly at: number;
  readonly wake: () => void;
}

/** Lets everything go on that waits for nothing but itself. */
export function flush(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The true time. It passes only when the simulation says so, and wakes whoever waits for it. */
export class SimClock {
  now: number;
  #timers: Timer[] = [];

  constructor(now: number) {
    this.now = now;
  }

  /** Resolves when so much time has passed, or when the signal comes first. */
  pause(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        // One signal is given to every pause of a run: what is left on it would add up.
        signal?.removeEventListener("abort", end);
        resolve();
      };
      this.#timers.push({ at: this.now + ms, wake: end });
      signal?.addEventListener("abort", end);
    });
  }

  /** Time passes; whoever waited goes on in the order of their times, each as far as it gets. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.now = Math.max(this.now, due.at);
      due.wake();
      await flush();
    }
    this.now = end;
  }
}
