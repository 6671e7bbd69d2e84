import { setTimeout as pause } from "node:timers/promises";
import { takeLocalLock } from "../../adapters/home/local-lock.js";
import { RunFolders } from "../../adapters/home/run-folders.js";
import { DetachedProcesses } from "../../adapters/process/detached-processes.js";
import { openRuntime } from "../../adapters/runtimes/open-runtime.js";
import type { StopChange } from "../../core/control/control-decision.js";
import { hasAgent } from "../../core/run/ledger/slot-groups.js";
import { type AgentsStopped, stopAgents } from "../../engine/stop-agents.js";
import { UserError } from "../../lib/user-error.js";
import { openClones } from "../../wiring/start-engine.js";
import type { WiredProject } from "../../wiring/wire-project.js";

/** Ends agents whose engine was killed on this machine. Null when there is an engine again: it is asked instead. */
export async function stopHere(
  project: WiredProject,
  { bead, force }: StopChange,
): Promise<AgentsStopped | null> {
  const { config, home, ledger, actor } = project;
  // Nobody may take these agents over while they are being ended.
  const attempt = await takeLocalLock(home.engineLock(config.project_id));
  if (attempt.kind === "held") return null;
  try {
    const { state } = await ledger.observe([]);
    const slots = Object.values(state.slots).filter(
      (slot) => hasAgent(slot) && (bead === null || slot.bead === bead),
    );
    return await stopAgents(
      slots,
      { force, actor, lease: state.lease?.id ?? null },
      {
        ledger,
        processes: new DetachedProcesses(),
        folders: new RunFolders(home, config.project_id),
        worktrees: openClones(project),
        now: Date.now,
        stopSignals: (runtime) => signalsOf(runtime, project),
        pause: (ms, enough) => pause(ms, undefined, { signal: enough }).catch(() => {}),
      },
    );
  } finally {
    await attempt.lock.release();
  }
}

/** Of a runtime that the project file does not know any more, what every program understands. */
function signalsOf(runtime: string, project: WiredProject) {
  try {
    return openRuntime(runtime, project).stopSignals;
  } catch (error) {
    if (error instanceof UserError) return ["SIGINT", "SIGTERM"] as const;
    throw error;
  }
}
