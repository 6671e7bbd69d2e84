import type { Slot } from "./slot.js";

const WITH_AGENT: ReadonlySet<string> = new Set(["dispatching", "running", "ended"]);
const OPEN: ReadonlySet<string> = new Set([...WITH_AGENT, "queued", "passed", "landing", "refused"]);

/** Whether the slot has an agent, or is about to. */
export function hasAgent({ status }: Pick<Slot, "status">): boolean {
  return WITH_AGENT.has(status);
}

/**
 * Whether some run still has to do with it, and its tokens are taken: from the dispatch until the work has landed or
 * is out of the engine's hands. What is not open waits for a person or is over.
 */
export function isOpen({ status }: Pick<Slot, "status">): boolean {
  return OPEN.has(status);
}

const WITH_PEOPLE: ReadonlySet<string> = new Set(["merge-pending", "pr-opened", "blocked", "conflict"]);

/** Whether it is out of the engine's hands and not over: a person may land it, or send it back to an agent. */
export function waitsForPerson({ status }: Pick<Slot, "status">): boolean {
  return WITH_PEOPLE.has(status);
}
