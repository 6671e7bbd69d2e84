import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { z } from "zod";
import { LandWork } from "../../core/land/land-progress.js";
import { bootId } from "../process/boot-id.js";
import { pidSpace } from "../process/pid-space.js";
import { isGone, readEntry } from "../process/proc-table.js";

/** Who holds a lock, in enough detail that nobody else can be mistaken for them. */
export const LockHolder = z.object({
  pid: z.int(),
  /** Ticks since boot when the process started: a pid alone may have been given to another by now. */
  start: z.string(),
  boot: z.string(),
  /** The pid namespace: in another container the same number means another process. */
  space: z.string(),
  host: z.string(),
  since: z.string(),
  /** Never used twice, so that a lock taken again by the same process is another lock. */
  nonce: z.string().regex(/^[0-9a-f]{16,64}$/),
  /** What it does with the lock, for those who wait; what cannot be read, or was never said, is left out. */
  work: LandWork.optional().catch(undefined),
});
export type LockHolder = z.infer<typeof LockHolder>;

export function thisProcess(): LockHolder {
  return {
    pid: process.pid,
    start: readEntry(process.pid)?.start ?? "",
    boot: machineBoot(),
    space: pidSpace(),
    host: hostname(),
    since: new Date().toISOString(),
    nonce: randomBytes(12).toString("hex"),
  };
}

/** True only when it is certain: a process on another machine or in another container may well be alive. */
export function isHolderGone(holder: LockHolder): boolean {
  if (holder.host !== hostname()) return false;
  if (holder.boot !== machineBoot()) return true;
  if (holder.space !== pidSpace()) return false;
  const entry = readEntry(holder.pid);
  // Some systems show nobody else's processes; a signal that reaches one, or is forbidden, proves it there.
  if (entry === null) return !answersSignals(holder.pid);
  return isGone(entry) || entry.start !== holder.start;
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Empty where the system does not tell; there a pid has to do. */
function machineBoot(): string {
  return process.platform === "linux" ? bootId() : "";
}
