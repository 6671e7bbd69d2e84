import type { ProcessIdentity } from "../../core/run/ledger/event-data.js";
import { bootId } from "./boot-id.js";
import { isGone, readEntry } from "./proc-table.js";

/** Whether exactly this process still runs: not a zombie, not a later one with its pid, not one of another boot. */
export function isAlive({ pid, start, boot }: ProcessIdentity): boolean {
  if (boot !== bootId()) return false;
  const entry = readEntry(pid);
  return entry !== null && entry.start === start && !isGone(entry);
}
