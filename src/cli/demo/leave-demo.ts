import { sweepProcesses } from "../../adapters/process/sweep-processes.js";
import { removeDemoFolder } from "./demo-world.js";

/** No slot has it: what works inside the demo's folder is what goes. */
const NO_SLOT = "koryph-demo";

/** Ends what still works in the demo's folder, such as agents whose engine was killed, and removes it. */
export async function leaveDemo(top: string): Promise<void> {
  // Elsewhere there is no list of processes to look through, and no agent was started.
  if (process.platform === "linux") await sweepProcesses(NO_SLOT, top);
  await removeDemoFolder(top);
}
