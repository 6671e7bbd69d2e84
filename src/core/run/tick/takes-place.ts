import type { Slot } from "../ledger/slot.js";
import { hasAgent } from "../ledger/slot-groups.js";
import { wantsAgent } from "./next-step.js";
import type { TickFacts } from "./tick-facts.js";

/**
 * Whether the slot takes one of the places for agents. An agent that has done its work leaves its place at once, before
 * that work is brought in, unless what comes next for its bead is another agent. What any other end says of the runtime
 * is on record before a further agent is started on it.
 */
export function takesPlace(
  slot: Slot,
  { observations, config, options, now }: Pick<TickFacts, "observations" | "config" | "options" | "now">,
): boolean {
  const sequel = { config, options, now };
  if (!hasAgent(slot)) return wantsAgent({ ...sequel, slot });
  const process = observations.get(slot.bead)?.process;
  if (process?.kind !== "ended" || process.end.kind !== "completed") return true;
  return wantsAgent({
    ...sequel,
    slot: { ...slot, status: "passed", passed: [...slot.passed, slot.task] },
  });
}
