import { join } from "node:path";
import { livenessFile } from "../../wiring/start-engine.js";
import type { WiredProject } from "../../wiring/wire-project.js";

/** How long the commands of a gate outlive whoever waits for them, and how often they are shown that we do. */
export const ALIVE_SECONDS = 60;
const ALIVE_MS = 5_000;

/** A terminal that is closed ends a gate as Ctrl-C does. */
const INTERRUPTS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Shows the gate's commands that we are alive while `work` goes on, which the first interrupt tells to end. */
export async function stayAlive<T>(
  { projectHome }: Pick<WiredProject, "projectHome">,
  onInterrupt: () => void,
  work: (liveness: { readonly file: string }, abort: AbortSignal) => Promise<T>,
): Promise<T> {
  const liveness = await livenessFile(join(projectHome, "land.alive"));
  await liveness.touch(Date.now());
  const beating = setInterval(() => void liveness.touch(Date.now()).catch(() => {}), ALIVE_MS);
  const abort = new AbortController();
  // Further ones change nothing: what is under way is being ended.
  const interrupt = () => {
    if (!abort.signal.aborted) onInterrupt();
    abort.abort();
  };
  for (const signal of INTERRUPTS) process.on(signal, interrupt);
  try {
    return await work(liveness, abort.signal);
  } finally {
    clearInterval(beating);
    for (const signal of INTERRUPTS) process.off(signal, interrupt);
  }
}
