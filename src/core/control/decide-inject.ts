import { isUnderWay } from "../run/ledger/ledger-state.js";
import { isTaken } from "../run/tick/answer-requests.js";
import type { ControlCommand } from "./control-command.js";
import { append, type ControlDecision, refuse } from "./control-decision.js";
import type { ControlFacts } from "./control-facts.js";

export function decideInject(
  command: Extract<ControlCommand, { verb: "inject" }>,
  { state, tracked }: ControlFacts,
): ControlDecision {
  const { bead } = command;
  if (!isUnderWay(state)) return refuse({ code: "no_run", command });
  const slot = state.slots[bead];
  if (slot?.status === "merged") {
    // A bead that was opened again may be begun anew.
    if (!(slot.settled && tracked === "open")) return refuse({ code: "landed", slot, verb: "inject" });
  } else if (slot !== undefined && isTaken(slot, state.run?.id ?? "")) return refuse({ code: "taken", slot });
  const drain = state.requests.find((each) => each.request.verb === "drain");
  const hold = state.holds[bead] ?? null;
  if (drain !== undefined) return refuse({ code: "draining", bead, request: drain, hold });
  if (tracked === "absent") return refuse({ code: "absent_bead", bead });
  if (tracked === "closed") return refuse({ code: "closed_bead", bead });
  const request = state.requests.find((each) => each.request.verb === "inject" && each.request.bead === bead);
  if (request !== undefined)
    return { kind: "already", found: { verb: "inject", bead, request }, silent: null };
  return append("engine", { type: "control.inject", bead, data: {} }, { verb: "inject", bead, hold });
}
