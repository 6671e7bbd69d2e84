import { RunFolders } from "../../adapters/home/run-folders.js";
import { stepText } from "../../core/replies/run/step-text.js";
import type { LedgerState } from "../../core/run/ledger/ledger-state.js";
import { placeOf } from "../../core/run/ledger/place-of.js";
import { hasAgent } from "../../core/run/ledger/slot-groups.js";
import type { WiredProject } from "./wire-project.js";

/** What the agents of this machine say they are doing, by bead; those that say nothing are left out. */
export async function readSteps(
  { home, config }: WiredProject,
  { slots }: Pick<LedgerState, "slots">,
): Promise<ReadonlyMap<string, string>> {
  const folders = new RunFolders(home, config.project_id);
  const steps = new Map<string, string>();
  for (const slot of Object.values(slots).filter(hasAgent)) {
    const said = await folders.readStatus(placeOf(slot));
    const text = said === null ? "" : stepText(said);
    if (text !== "") steps.set(slot.bead, text);
  }
  return steps;
}
