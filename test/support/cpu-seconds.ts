import { readdirSync, readFileSync } from "node:fs";

/** The kernel counts in hundredths of a second wherever Node runs on Linux. */
const TICKS_PER_SECOND = 100;

let taken = 0;

/**
 * What this process and its children have computed since it was last asked. Other work on the machine hardly changes it,
 * unlike a clock's time. Agents and others that nobody waits for are not in it.
 */
export function takeCpuSeconds(): number {
  const own = [readStat("self"), ...readdirSync("/proc").map(readStat)].filter(
    (stat, index) => stat !== null && (index === 0 || stat.parent === process.pid),
  );
  const all = own.reduce((sum, stat) => sum + (stat?.seconds ?? 0), 0);
  const since = Math.max(0, all - taken);
  taken = all;
  return since;
}

/** Null for what is no process, or none any more. */
function readStat(pid: string): { readonly parent: number; readonly seconds: number } | null {
  if (!/^(?:\d+|self)$/.test(pid)) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is a name in parentheses and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // User and system, then the same of the children that it has waited for.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}
