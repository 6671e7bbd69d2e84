import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { AgentProcesses } from "../../ports/agent-processes.js";
import { awaitEnd } from "./await-end.js";
import type { GateFiles } from "./gate-files.js";

/** What SIGKILL has not ended after this long hangs in the kernel; the sweep has another look at it. */
const KILLED_MS = 10_000;

/** Ends every command of the check that still runs, in whichever life of ours it was started. */
export async function endCommands(
  processes: AgentProcesses,
  files: GateFiles,
  killAfterMs: number,
): Promise<void> {
  for (const folder of await commandFolders(files)) {
    if ((await processes.status(folder)).kind !== "alive") continue;
    await processes.signal(folder, "SIGTERM");
    if ((await awaitEnd(processes, folder, AbortSignal.timeout(killAfterMs))) !== null) continue;
    await processes.signal(folder, "SIGKILL");
    await awaitEnd(processes, folder, AbortSignal.timeout(KILLED_MS));
  }
}

/** By what is there, not by what is recorded: the record may be of another check, or unreadable. */
async function commandFolders(files: GateFiles): Promise<string[]> {
  const found = await Promise.all(
    [1, 2].map(async (number) => {
      const folder = files.tryFolder(number);
      const names = await readdir(folder).catch(() => []);
      return names.filter((name) => /^\d+$/.test(name)).map((name) => join(folder, name));
    }),
  );
  return found.flat();
}
