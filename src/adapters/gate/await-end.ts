import type { AgentProcesses, ExitInfo } from "../../ports/agent-processes.js";

/** A safety net under the watch. It also keeps our own process alive, which a watch does not. */
const POLL_MS = 2_000;

const VANISHED: ExitInfo = { code: null, ended: "unknown" };

/** How the process in this folder ended; null when `abort` came first. */
export function awaitEnd(
  processes: AgentProcesses,
  folder: string,
  abort: AbortSignal,
): Promise<ExitInfo | null> {
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = [];
    function settle(finish: () => void): void {
      for (const stop of stops.splice(0)) stop();
      finish();
    }
    async function look(): Promise<void> {
      try {
        const status = await processes.status(folder);
        if (status.kind === "alive") return;
        settle(() => resolve(status.kind === "ended" ? status.exit : VANISHED));
      } catch (error) {
        settle(() => reject(error));
      }
    }
    stops.push(processes.watch(folder, look));
    const onAbort = () => settle(() => resolve(null));
    abort.addEventListener("abort", onAbort, { once: true });
    const poll = setInterval(look, POLL_MS);
    stops.push(() => abort.removeEventListener("abort", onAbort));
    stops.push(() => clearInterval(poll));
    // An end that is there already counts, whatever came after it.
    void look().then(() => {
      if (abort.aborted) onAbort();
    });
  });
}
