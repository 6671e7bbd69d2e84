import { mkdirSync, watch } from "node:fs";
import type { AgentProcesses } from "../ports/agent-processes.js";

/** Lets the loop sleep until something happens. */
export class Bell {
  #ring: (() => void) | null = null;
  #rung = false;

  ring(): void {
    this.#rung = true;
    this.#ring?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#ring = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#rung = false;
    this.#ring = null;
  }
}

/** The end of an agent rings the bell, also of one that an earlier engine started. */
export function ringing(processes: AgentProcesses, bell: Pick<Bell, "ring">): AgentProcesses {
  const watched = new Set<string>();
  const watchOnce = (folder: string) => {
    if (watched.has(folder)) return;
    watched.add(folder);
    processes.watch(folder, () => bell.ring());
  };
  return {
    start: async (spec) => {
      const identity = await processes.start(spec);
      watchOnce(spec.folder);
      return identity;
    },
    status: async (folder) => {
      const status = await processes.status(folder);
      if (status.kind === "alive") watchOnce(folder);
      return status;
    },
    signal: (folder, signal) => processes.signal(folder, signal),
    sweep: (marker, cwd) => processes.sweep(marker, cwd),
    watch: (folder, onEnd) => processes.watch(folder, onEnd),
    activity: (folder, marker) => processes.activity(folder, marker),
  };
}

/** Commands on this machine append to the same copy of the ledger; the engine need not wait for its timer. */
export function watchLedger(folder: string, bell: Bell): () => void {
  try {
    // The very folder of the ref: watching a tree misses folders that are made, and files that are replaced.
    mkdirSync(folder, { recursive: true });
    const watcher = watch(folder, () => bell.ring());
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    // Without it the timer still looks.
    return () => {};
  }
}
