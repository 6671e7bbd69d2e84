import { isUnderWay, type LedgerState } from "../run/ledger/ledger-state.js";
import type { Slot } from "../run/ledger/slot.js";
import { waitsForPerson } from "../run/ledger/slot-groups.js";
import type { ControlCommand } from "./control-command.js";
import { append, type ControlDecision, refuse } from "./control-decision.js";
import type { ControlFacts } from "./control-facts.js";
import { unknownBead } from "./unknown-bead.js";

type Retry = Extract<ControlCommand, { readonly verb: "retry" }>;

/** A bead, or many, that waits for a person goes back to an agent. */
export function decideRetry({ bead, all }: Retry, { own, state }: ControlFacts): ControlDecision {
  if (all !== undefined) return retryAll(all.reason, state);
  const meant = bead ?? own;
  if (meant === null) return refuse({ code: "no_bead", verb: "retry" });
  const slot = state.slots[meant];
  if (slot === undefined) return refuse(unknownBead(meant, state));
  if (!waitsForPerson(slot)) return refuse({ code: "not_blocked", slot });
  const change = { verb: "retry", beads: [meant], underWay: isUnderWay(state) } as const;
  return append("engine", { type: "control.retry", bead: meant, data: {} }, change);
}

/** What is finished is not among them: it waits to be landed. */
function retryAll(reason: string | null, state: LedgerState): ControlDecision {
  const blocked = Object.values(state.slots).filter(
    ({ status }) => status === "blocked" || status === "conflict",
  );
  const meant = blocked.filter((slot) => reason === null || isBlockedFor(reason, slot));
  if (meant.length === 0)
    return { kind: "already", found: { verb: "retry", reason, blocked: blocked.length }, silent: null };
  const beads = meant.map(({ bead }) => bead).sort();
  const events = beads.map((bead) => ({ type: "control.retry", bead, data: {} }) as const);
  return append("engine", events, { verb: "retry", beads, underWay: isUnderWay(state) });
}

/** A code, how its last agent ended, or any part of what `koryph status` says. */
function isBlockedFor(reason: string, { noteCode, outcome, note }: Slot): boolean {
  return [noteCode, outcome].includes(reason) || note.toLowerCase().includes(reason.toLowerCase());
}
