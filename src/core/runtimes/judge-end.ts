import { plainText } from "../../lib/plain-text.js";
import type { OutcomeKind } from "../model/agent-end.js";
import type { ProcessEnd } from "./agent-outcome.js";

/** How an agent ended, before its cost and its words are added. */
export interface EndJudgement {
  readonly kind: OutcomeKind;
  readonly detail: string;
}

const DETAIL_CHARACTERS = 500;
/** Long enough for a reviewer's whole answer; a runaway agent must not fill the ledger or our memory. */
const TEXT_CHARACTERS = 100_000;

/**
 * Ends that say nothing about the work, whatever the stream held: we asked for it, time ran out, or the
 * process is gone without a word. Null when the agent came to its own end.
 */
export function judgeOutsideEnd(facts: ProcessEnd): EndJudgement | null {
  if (facts.stopping) return { kind: "stopped", detail: "stopped on request" };
  if (facts.ended === "wall-clock") return { kind: "timed-out", detail: "reached its wall-clock limit" };
  if (facts.ended === "engine-gone") {
    return { kind: "lost", detail: "ended by its wrapper because the engine was gone" };
  }
  if (facts.code === null) return { kind: "killed", detail: "gone without leaving an exit code" };
  return null;
}

/** One line for people, from text that an agent or its program wrote. */
export function shortDetail(text: string): string {
  const line = plainText(text);
  return line.length > DETAIL_CHARACTERS ? `${line.slice(0, DETAIL_CHARACTERS - 1)}…` : line;
}

/** The last line that says anything; programs put the reason there. */
export function lastLine(text: string): string {
  return (
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .at(-1) ?? ""
  );
}

/** The end of a long text: what was said last is what counts. */
export function tailOf(text: string): string {
  return text.length > TEXT_CHARACTERS ? text.slice(-TEXT_CHARACTERS) : text;
}
