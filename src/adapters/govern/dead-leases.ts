import { type AgentLease, type LeaseProcess, leaseId } from "../../core/govern/agent-lease.js";
import type { AgentProcesses } from "../../ports/agent-processes.js";
import { bootId } from "../process/boot-id.js";
import { containerSpace } from "../process/pid-space.js";
import { isGone, readEntry } from "../process/proc-table.js";

/**
 * The leases, by id, whose process is gone. An engine may die between its agent's start and the next look: then its
 * process is dead, and the agent has signed in to its folder all the same.
 */
export async function deadLeases(
  leases: readonly AgentLease[],
  processes: Pick<AgentProcesses, "status">,
  space = containerSpace(),
): Promise<ReadonlySet<string>> {
  const dead = new Set<string>();
  for (const lease of leases) {
    if (!isDead(lease.process, space)) continue;
    if ((await processes.status(lease.folder)).kind !== "alive") dead.add(leaseId(lease));
  }
  return dead;
}

/**
 * True only when it is certain: of a system that shows no such process, one that answers signals is alive. A process of
 * another container cannot be seen from here, so its lease ends with its engine's word, or after a day.
 */
function isDead({ pid, start, boot, space }: LeaseProcess, own: string | null): boolean {
  if (boot !== bootId()) return true;
  if ((space ?? null) !== own) return false;
  const entry = readEntry(pid);
  if (entry !== null) return entry.start !== start || isGone(entry);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EPERM";
  }
}
