import type { Slot } from "../../run/ledger/slot.js";

/** What a slot's agent is for. Attempts are those at implementing: a review is none. */
export function taskText({ task, tries }: Pick<Slot, "task" | "tries">): string {
  return task === "implement" ? `attempt ${tries}` : task;
}
