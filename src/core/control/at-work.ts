import type { Slot } from "../run/ledger/slot.js";
import { hasAgent } from "../run/ledger/slot-groups.js";
import { type ControlRefused, refuse } from "./control-decision.js";
import type { ControlFacts } from "./control-facts.js";
import { unknownBead } from "./unknown-bead.js";

/** An agent that has ended by the time the engine looks is no mistake; one that was not at work before is. */
export function atWork(
  verb: "nudge" | "stop",
  bead: string | null,
  { state }: Pick<ControlFacts, "state">,
): Slot | ControlRefused {
  if (bead === null) return refuse({ code: "no_bead", verb });
  const slot = state.slots[bead];
  if (slot === undefined) return refuse(unknownBead(bead, state));
  return hasAgent(slot) ? slot : refuse({ code: "not_at_work", slot });
}
