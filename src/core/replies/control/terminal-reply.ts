import type { Advice } from "../../../lib/user-error.js";
import type { ControlDecision, ControlRefusal, ControlRefused } from "../../control/control-decision.js";
import { alreadySentence, changeSentence, refusalWords, silentSentence } from "./control-sentences.js";
import { TERMINAL_STYLE } from "./style.js";

/** What came of a verb that was carried out, as a project's own line. */
export function decisionLine(
  project: string,
  decision: Exclude<ControlDecision, ControlRefused>,
  underWay: boolean,
): string {
  const said =
    decision.kind === "append"
      ? changeSentence(decision.change, TERMINAL_STYLE)
      : alreadySentence(decision.found, TERMINAL_STYLE);
  return `${project}: ${said}${underWay ? "" : " (no run is under way)"}`;
}

/** A project's own line for whoever asks something of an engine elsewhere that may be gone. */
export function silentEngineLine(project: string, since: number): string {
  return `${project}: ${silentSentence(since, TERMINAL_STYLE)}`;
}

export function refusalAdvice(refusal: ControlRefusal): Advice {
  const { said, next } = refusalWords(refusal, TERMINAL_STYLE);
  return { message: said, hint: next };
}
