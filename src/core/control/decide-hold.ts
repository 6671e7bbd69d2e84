import { cutText } from "../../lib/cut-text.js";
import { redactText } from "../redact.js";
import { isUnderWay, type LedgerState } from "../run/ledger/ledger-state.js";
import { hasAgent, isOpen } from "../run/ledger/slot-groups.js";
import { append, type ControlChange, type ControlDecision, refuse } from "./control-decision.js";
import type { ControlFacts } from "./control-facts.js";
import { meantBead } from "./meant-bead.js";

const LONGEST_REASON = 500;

export function decideHold(
  command: { readonly bead: string | null; readonly reason: string },
  facts: ControlFacts,
): ControlDecision {
  const { state, tracked, own } = facts;
  const { bead, text } = meantBead(command.bead, command.reason, facts);
  if (bead === null) return refuse({ code: "no_bead", verb: "hold" });
  const slot = state.slots[bead];
  // A bead that was opened again may be begun anew.
  if (slot?.status === "merged" && !(slot.settled && tracked === "open"))
    return refuse({ code: "landed", slot, verb: "hold" });
  const reason = cutText(redactText(text), LONGEST_REASON);
  const before = state.holds[bead] ?? null;
  // A hold without a reason would take away the one there is.
  if (before !== null && (reason === "" || reason === before.reason))
    return { kind: "already", found: { verb: "hold", bead, hold: before }, silent: null };
  if (slot === undefined && tracked === "absent") return refuse({ code: "absent_bead", bead });
  return append(
    "record",
    { type: "hold.placed", bead, data: { reason } },
    {
      verb: "hold",
      bead,
      before,
      agent: agentOf(bead, state),
      landing: state.landings.some((landing) => landing.bead === bead),
      known: slot !== undefined || bead === own || tracked !== "unasked",
    },
  );
}

export function decideUnhold(
  command: { readonly bead: string | null },
  { state, own }: ControlFacts,
): ControlDecision {
  const bead = command.bead ?? own;
  if (bead === null) return refuse({ code: "no_bead", verb: "unhold" });
  if (state.holds[bead] === undefined) return refuse({ code: "not_held", bead });
  return append("record", { type: "hold.lifted", bead, data: {} }, { verb: "unhold", bead });
}

function agentOf(bead: string, state: LedgerState): Extract<ControlChange, { verb: "hold" }>["agent"] {
  const slot = state.slots[bead];
  if (slot !== undefined && hasAgent(slot)) return "at-work";
  return isUnderWay(state) && (slot === undefined || isOpen(slot)) ? "perhaps" : "none";
}
