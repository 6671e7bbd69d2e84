import { operatorWord } from "../replies/nudge.js";
import type { NewEvent } from "./ledger-event.js";
import type { Slot } from "./slot.js";
import type { Effect, TickFacts } from "./tick-facts.js";

/** What operators asked of agents at work: nudges are delivered, stops decided. */
export function answerRequests({ state }: TickFacts, active: readonly Slot[]): Effect[] {
  return state.requests.flatMap(({ id, actor, request }): Effect[] => {
    if (request.verb === "nudge") {
      const slot = active.find(({ bead }) => bead === request.bead);
      if (slot?.status === "running")
        return [{ kind: "nudge", request: id, bead: request.bead, text: operatorWord(actor, request.text) }];
      return slot ? [] : [{ kind: "consume", request: id, note: `${request.bead} has no agent to nudge` }];
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
