import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import type { AgentProcesses } from "../../ports/agent-processes.js";
import { endCommands } from "./end-commands.js";
import { GateFiles } from "./gate-files.js";
import { sweepTry, TRIES } from "./gate-try.js";

/** Ends all that the check in this folder left alive, so that the folder can go: without it nobody would find them. */
export async function endGate(processes: AgentProcesses, folder: string): Promise<void> {
  const files = new GateFiles({ folder });
  await endCommands(processes, files, 0);
  // Where the record cannot be read, they are found by where they work.
  const marker = files.record()?.marker ?? `gate/${randomUUID()}`;
  for (const number of TRIES)
    if ((await stat(files.tryFolder(number)).catch(() => null)) !== null)
      await sweepTry({ parts: { processes }, files, record: { marker } }, number, true);
}
