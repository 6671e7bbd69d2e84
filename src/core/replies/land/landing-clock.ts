import { plainText } from "../../../lib/plain-text.js";
import { clockText, durationText } from "../../../lib/time-text.js";
import type { LandHolder, LandWork, RunningCommand } from "../../land/land-progress.js";
import { quote } from "./quote.js";

const LONGEST_COMMAND = 100;

/** The command of the gate that runs. */
export function runningText({ command, number, of, isSecondTry }: RunningCommand): string {
  const again = isSecondTry === true ? ", second try, as the first was red" : "";
  return `gate command ${number} of ${of}${again}: ${quote(command, LONGEST_COMMAND)}`;
}

/** The same after a while. */
export function stillRunningText(running: RunningCommand, now: number): string {
  const { command, number, of, since, isSecondTry } = running;
  const again = isSecondTry === true ? ", second try" : "";
  return `gate command ${number} of ${of}${again}, ${durationText(now - since)}: ${quote(command, LONGEST_COMMAND)}`;
}

/** For whom a landing waits. */
export function waitingText({ pid, own, since, work, file }: LandHolder): string {
  if (pid === 0 && file !== undefined)
    return `waits for whoever made ${plainText(file)}, which names no process; remove it if no other koryph lands or runs the gate here`;
  const at = Date.parse(since);
  const begun = Number.isNaN(at) ? "" : ` since ${clockText(at)}`;
  if (own) return `waits for ${ownWork(work)}${begun === "" ? "" : `,${begun}`}`;
  const who = work === null ? "another koryph" : `koryph ${work.by}`;
  const id = pid === 0 ? "" : ` (pid ${pid})`;
  return `waits for ${who}${id}, which ${doing(work)}${begun}`;
}

function ownWork(work: LandWork | null): string {
  if (work === null) return "its turn";
  // The other bead may be landing, or its gate runs before its review.
  return work.bead === null ? "the gate of the default branch" : `its turn behind ${quote(work.bead)}`;
}

function doing(work: LandWork | null): string {
  if (work === null) return "lands something";
  return work.bead === null ? "runs the gate" : `lands ${quote(work.bead)}`;
}

/** What the one that is waited for is doing; null when it does not say. */
export function holderStepText(work: LandWork | null, now: number): string | null {
  return work?.running === undefined ? null : `its ${stillRunningText(work.running, now)}`;
}
