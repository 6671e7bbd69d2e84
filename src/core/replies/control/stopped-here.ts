import type { EngineObservation } from "../../control/judge-engine.js";
import { goneText } from "../run/engine-line.js";

export interface StoppedHere {
  readonly force: boolean;
  /** Beads that stay stopped; null when that was not asked for. */
  readonly hold: readonly string[] | null;
  readonly ended: readonly string[];
  readonly left: readonly string[];
}

/** What became of agents whose engine is gone, and that were ended without it. */
export function stoppedHereLines(
  project: string,
  { pid }: EngineObservation,
  { force, hold, ended, left }: StoppedHere,
): string[] {
  const gone = goneText(pid);
  const goesOn = "`koryph run --resume` goes on";
  const held = hold === null || hold.length === 0 ? "" : ` without ${hold.join(", ")}, held until unhold`;
  const kept = force ? "what was not committed is kept for the next attempt" : "what was committed is kept";
  const lines =
    ended.length === 0 && left.length === 0
      ? [`${gone}, and no agent of it is alive on this machine; ${goesOn}${held}`]
      : [];
  if (ended.length > 0)
    lines.push(`${gone}, so the agents were ended from here: ${ended.join(", ")}; ${kept}; ${goesOn}${held}`);
  if (left.length > 0)
    lines.push(`these agents do not end, whatever is sent to them: ${left.join(", ")}; look with \`ps\``);
  return lines.map((line) => `${project}: ${line}`);
}
