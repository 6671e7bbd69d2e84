import type { NewEvent } from "../run/ledger/ledger-event.js";
import { isUnderWay, type LedgerState } from "../run/ledger/ledger-state.js";
import type { Slot } from "../run/ledger/slot.js";
import { hasAgent } from "../run/ledger/slot-groups.js";
import { atWork } from "./at-work.js";
import type { ControlCommand } from "./control-command.js";
import { append, type ControlDecision, refuse } from "./control-decision.js";
import type { ControlFacts } from "./control-facts.js";

type Stop = Extract<ControlCommand, { readonly verb: "stop" }>;

/**
 * With `--hold` and `--drain` it is several of the ledger's requests at once. What keeps beads from starting again
 * comes first, so that whoever reads only half of them does not start an agent that was to stay stopped.
 */
export function decideStop(command: Stop, facts: ControlFacts): ControlDecision {
  const { state } = facts;
  if (command.run) {
    if (!isUnderWay(state)) return refuse({ code: "no_run", command });
    return stopped(command, null, Object.values(state.slots).filter(hasAgent), state);
  }
  const slot = atWork("stop", command.bead ?? facts.own, facts);
  return "kind" in slot ? slot : stopped(command, slot.bead, [slot], state);
}

function stopped(
  { force, hold, drain }: Stop,
  bead: string | null,
  slots: readonly Slot[],
  state: LedgerState,
): ControlDecision {
  const beads = slots.map((slot) => slot.bead);
  const events: NewEvent[] = [];
  if (hold)
    for (const each of beads)
      if (state.holds[each] === undefined)
        events.push({ type: "hold.placed", bead: each, data: { reason: "" } });
  const isDraining = state.requests.some(({ request }) => request.verb === "drain");
  if (drain && !isDraining) events.push({ type: "control.drain", data: {} });
  events.push({ type: "control.stop", ...(bead !== null && { bead }), data: { force } });

  return append("engine", events, {
    verb: "stop",
    bead,
    force,
    hold: hold ? beads : null,
    drain: drain || isDraining,
  });
}

/** What counts also where no engine is left: requests to it are cleared when the next run begins. */
export function standingEvents(events: readonly NewEvent[]): NewEvent[] {
  return events.filter(({ type }) => type === "hold.placed");
}
