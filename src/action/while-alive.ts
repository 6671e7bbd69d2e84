import type { Liveness } from "../wiring/start-liveness.js";
import { startLiveness } from "../wiring/start-liveness.js";

/** What whoever starts a process for a job tells it: how to see that we live, and that we were told to stop. */
interface JobLife extends Pick<Liveness, "file" | "seconds"> {
  readonly abort: AbortSignal;
}

/** Shows the processes that `work` starts that this one lives. A cancelled workflow run aborts them. */
export async function whileAlive<T>(file: string, work: (life: JobLife) => Promise<T>): Promise<T> {
  const liveness = await startLiveness(file, "process");
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => abort.abort());
  try {
    return await work({ file: liveness.file, seconds: liveness.seconds, abort: abort.signal });
  } finally {
    liveness.end();
  }
}
