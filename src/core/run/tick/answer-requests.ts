import { isClosed } from "../../model/bead.js";
import { injectNotes, operatorWord } from "../../replies/control/steering.js";
import type { NewEvent } from "../ledger/ledger-event.js";
import type { Slot } from "../ledger/slot.js";
import type { Effect, TickFacts } from "./tick-facts.js";

/** What operators asked of agents at work: nudges are delivered, stops decided. What cannot be injected is put aside. */
export function answerRequests(facts: TickFacts, active: readonly Slot[]): Effect[] {
  const { state } = facts;
  return state.requests.flatMap(({ id, actor, request }): Effect[] => {
    if (request.verb === "nudge") {
      const slot = active.find(({ bead }) => bead === request.bead);
      if (slot?.status === "running")
        return [{ kind: "nudge", request: id, bead: request.bead, text: operatorWord(actor, request.text) }];
      return slot ? [] : [{ kind: "consume", request: id, note: `${request.bead} has no agent to nudge` }];
    }
    if (request.verb === "inject") {
      const note = notInjected(facts, request.bead);
      return note === null ? [] : [{ kind: "consume", request: id, note }];
    }
    if (request.verb !== "stop") return [];
    const meant = active.filter(({ bead }) => request.bead === null || bead === request.bead);
    const events = meant
      .filter(({ stopping }) => stopping === null || (request.force && !stopping.force))
      .map(
        (slot): NewEvent => ({
          type: "slot.stopping",
          bead: slot.bead,
          run: slot.run,
          data: { attempt: slot.attempt, why: `asked for by ${actor}`, force: request.force },
        }),
      );
    // The intent is on record before the request goes, so that a crash between them repeats it harmlessly.
    if (events.length > 0) return [{ kind: "append", events }];
    return [{ kind: "consume", request: id, note: meant.length > 0 ? "stopping" : "nothing to stop" }];
  });
}

/** Why no dispatch will answer the request; null while one may. */
function notInjected({ state, run, work }: TickFacts, bead: string): string | null {
  const slot = state.slots[bead];
  if (slot !== undefined && isTaken(slot, run)) return injectNotes.taken(slot.status);
  if (work === null) return null;
  const found = work.all.find(({ id }) => id === bead);
  if (found === undefined) return injectNotes.gone();
  return isClosed(found) ? injectNotes.closed() : null;
}

/** Whether the bead goes on, if it does, from where its slot is, and is not begun anew by the run. */
export function isTaken({ status, settled, run: of }: Slot, run: string): boolean {
  switch (status) {
    case "merged":
      // Somebody who opens the bead again wants it done again.
      return !settled;
    case "conflict":
      return of === run;
    default:
      return true;
  }
}
