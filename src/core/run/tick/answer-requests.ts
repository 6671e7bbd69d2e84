import { isClosed } from "../../model/bead.js";
import type { DecidedEvent } from "../ledger/decided-event.js";
import type { RequestAnswer } from "../ledger/request-answer.js";
import type { Slot } from "../ledger/slot.js";
import type { Effect, TickFacts } from "./tick-facts.js";

/** What operators asked of agents at work: nudges are delivered, stops decided. What cannot be injected is put aside. */
export function answerRequests(facts: TickFacts, active: readonly Slot[]): Effect[] {
  const { state } = facts;
  return state.requests.flatMap(({ id, actor, request }): Effect[] => {
    if (request.verb === "nudge") {
      const slot = active.find(({ bead }) => bead === request.bead);
      if (slot?.status === "running")
        return [{ kind: "nudge", request: id, bead: request.bead, actor, text: request.text }];
      return slot ? [] : consume(id, { code: "no-agent", bead: request.bead });
    }
    if (request.verb === "inject") {
      const answer = notInjected(facts, request.bead);
      return answer === null ? [] : consume(id, answer);
    }
    if (request.verb !== "stop") return [];
    const meant = active.filter(({ bead }) => request.bead === null || bead === request.bead);
    const events = meant
      .filter(({ stopping }) => stopping === null || (request.force && !stopping.force))
      .map(
        (slot): DecidedEvent => ({
          type: "slot.stopping",
          bead: slot.bead,
          run: slot.run,
          why: { code: "asked-for", actor },
          data: { attempt: slot.attempt, force: request.force },
        }),
      );
    // The intent is on record before the request goes, so that a crash between them repeats it harmlessly.
    if (events.length > 0) return [{ kind: "append", events }];
    return consume(id, { code: meant.length > 0 ? "stopping" : "nothing-to-stop" });
  });
}

function consume(request: string, answer: RequestAnswer): Effect[] {
  return [{ kind: "consume", request, answer }];
}

/** Why no dispatch will answer the request; null while one may. */
function notInjected({ state, run, work }: TickFacts, bead: string): RequestAnswer | null {
  const slot = state.slots[bead];
  if (slot !== undefined && isTaken(slot, run)) return { code: "taken", status: slot.status };
  if (work === null) return null;
  const found = work.all.find(({ id }) => id === bead);
  if (found === undefined) return { code: "bead-gone" };
  return isClosed(found) ? { code: "bead-closed" } : null;
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
