import { join } from "node:path";
import { eachOnce } from "../../core/runtimes/spent-message.js";
import { LONGEST_WINDOW_MS } from "../../core/usage/window-spending.js";
import type { KoryphHome } from "../home/koryph-home.js";
import { RecordFiles } from "./record-files.js";
import { RECORD_KINDS } from "./record-kinds.js";
import { SpentFile } from "./spent-file.js";

/**
 * Writes down what an agent has spent before its home goes, and its records with it: the money does not come back. Who
 * is cut short in between counts it twice, which is the careful mistake. What cannot be read keeps no home from going.
 */
export async function keepSpending(home: KoryphHome, agentHome: string): Promise<void> {
  const since = Date.now() - LONGEST_WINDOW_MS;
  for (const kind of RECORD_KINDS)
    try {
      const folders = [{ root: agentHome, path: join(agentHome, kind.inHome) }];
      const { messages } = await new RecordFiles().look(kind, folders, since);
      await new SpentFile(home.spentFile).add(kind.pool, eachOnce(messages));
    } catch {
      // An agent can close its folders, or fill them; the disk can be full.
    }
}
