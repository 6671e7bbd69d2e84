import type { Slot } from "../../run/ledger/slot.js";
import { isOpen } from "../../run/ledger/slot-groups.js";
import { taskText } from "../run/task-text.js";
import { statusWord } from "./status-word.js";

/** Stands above what one agent printed. */
export function tailHeading(slot: Slot): string {
  return `${slot.bead}, ${taskText(slot)}, ${statusWord(slot.status)}`;
}

/** Why there is nothing more to follow; a slot of null is one that was dropped. */
export function tailEndLine(bead: string, slot: Slot | null): string {
  if (slot === null) return `${bead} was given back to the work source`;
  if (!isOpen(slot)) return `${bead} is ${statusWord(slot.status)}, and no agent is at work on it`;
  return `${bead} is ${statusWord(slot.status)}, and no engine is at work: \`koryph run --resume\` goes on`;
}
