import type { Slot } from "../ledger/slot.js";
import { hasAgent } from "../ledger/slot-groups.js";
import { wantsAgent } from "./next-step.js";
import type { TickFacts } from "./tick-facts.js";

/**
 * Whether the slot takes one of the places for agents. An agent that has ended leaves its place at once, before its work
 * is brought in, unless what comes next for its bead is another agent.
 */
export function takesPlace(
  slot: Slot,
  { observations, config, options, now }: Pick<TickFacts, "observations" | "config" | "options" | "now">,
): boolean {
  const sequel = { config, options, now };
  if (!hasAgent(slot)) return wantsAgent({ ...sequel, slot });
  if (observations.get(slot.bead)?.process.kind !== "ended") return true;
  return wantsAgent({
    ...sequel,
    slot: { ...slot, status: "passed", passed: [...slot.passed, slot.task] },
  });
}
