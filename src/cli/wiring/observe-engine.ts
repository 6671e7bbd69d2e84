import { lookAtLock } from "../../adapters/home/local-lock.js";
import { type EngineObservation, judgeEngine } from "../../core/control/judge-engine.js";
import type { LedgerState } from "../../core/run/ledger/ledger-state.js";
import type { WiredProject } from "../../wiring/wire-project.js";
import { readLedger } from "./read-ledger.js";

export interface ProjectObservation {
  readonly state: LedgerState;
  /** Null when nobody has the lease. */
  readonly engine: EngineObservation | null;
}

/** The project's state and whether its engine is there, looked at together. */
export async function lookAtEngine(
  project: WiredProject,
  warn: (line: string) => void,
): Promise<ProjectObservation> {
  const first = await observe(project, (await readLedger(project.ledger, warn)).state);
  // An engine that ended in good order between the two looks gave back its lease first, which shows now.
  return first.engine?.state === "gone" ? lookAtEngineHere(project) : first;
}

/** The same from this machine's copy of the ledger, for whoever looks often. */
export async function lookAtEngineHere(project: WiredProject): Promise<ProjectObservation> {
  return observe(project, (await project.ledger.observe([])).state);
}

async function observe(
  { home, config, hostName }: WiredProject,
  state: LedgerState,
): Promise<ProjectObservation> {
  const lock = await lookAtLock(home.engineLock(config.project_id));
  return { state, engine: judgeEngine(state, lock, hostName) };
}
