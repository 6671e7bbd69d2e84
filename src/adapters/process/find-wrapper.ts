import { join } from "node:path";
import type { ProcessIdentity } from "../../core/model/process-identity.js";
import { bootId } from "./boot-id.js";
import { allPids, commandOf, isGone, readEntry } from "./proc-table.js";
import { readIfThere, SLOT_FILES } from "./slot-files.js";

/** A wrapper that was started in this folder by an engine now dead, and that has not signed in yet. */
export function findUnsignedWrapper(folder: string): ProcessIdentity | null {
  if (readIfThere(join(folder, SLOT_FILES.spec)) === null) return null;
  const wrapper = join(folder, SLOT_FILES.wrapper);
  for (const pid of allPids()) {
    const [, script, part] = commandOf(pid);
    if (script !== wrapper || part !== "run") continue;
    const entry = readEntry(pid);
    // Its forks show the same command until they run something else; only the wrapper leads the session.
    if (entry !== null && entry.session === pid && !isGone(entry))
      return { pid, start: entry.start, boot: bootId() };
  }
  return null;
}
