import { lookAtLock } from "../../adapters/home/local-lock.js";
import { RunFolders } from "../../adapters/home/run-folders.js";
import { stillRunningText } from "../../core/replies/land/landing-clock.js";
import { stepText } from "../../core/replies/run/step-text.js";
import type { LedgerState } from "../../core/run/ledger/ledger-state.js";
import { placeOf } from "../../core/run/ledger/place-of.js";
import { hasAgent } from "../../core/run/ledger/slot-groups.js";
import type { WiredProject } from "../../wiring/wire-project.js";

/** What the agents of this machine, and whoever lands on it, say they are doing, by bead; the silent are left out. */
export async function readSteps(
  { home, config }: WiredProject,
  { slots }: Pick<LedgerState, "slots">,
  now: number,
): Promise<ReadonlyMap<string, string>> {
  const folders = new RunFolders(home, config.project_id);
  const steps = new Map<string, string>();
  for (const slot of Object.values(slots).filter(hasAgent)) {
    const said = await folders.readStatus(placeOf(slot));
    const text = said === null ? "" : stepText(said);
    if (text !== "") steps.set(slot.bead, text);
  }
  const lander = await lookAtLock(home.landLock(config.project_id));
  const { bead = null, running } = (lander?.gone === false && lander.work) || {};
  if (bead !== null && running) steps.set(bead, stillRunningText(running, now));
  return steps;
}
