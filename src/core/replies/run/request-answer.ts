import type { RequestAnswer } from "../../run/ledger/request-answer.js";
import { statusWord } from "../beads/status-word.js";

/** What became of a control request, as the ledger and whoever watches get it. */
export function requestAnswerText(answer: RequestAnswer): string {
  switch (answer.code) {
    case "delivered":
      return "delivered";
    case "not-delivered":
      return "could not be delivered";
    case "no-agent":
      return `${answer.bead} has no agent to nudge`;
    case "stopping":
      return "stopping";
    case "nothing-to-stop":
      return "nothing to stop";
    case "dispatched":
      return "dispatched";
    case "taken":
      return `it is ${statusWord(answer.status)}, so a run has it already`;
    case "bead-closed":
      return "it is closed";
    case "bead-gone":
      return "the work source has it no more";
    case "drained":
      return "drained";
    case "run-ended":
      return "the run ended without it";
    case "stale":
      return "stale: asked for before this run";
  }
}
