import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import { unknownBead } from "../../control/unknown-bead.js";
import type { LedgerState } from "../../run/ledger/ledger-state.js";
import { refusalAdvice } from "./terminal-reply.js";

export const controlAdvice = {
  stopWhat: (): Advice => ({
    message: "stop takes one bead, or --run for all agents of the run, or --all for those of every project",
    hint: "`koryph status` lists the beads that are at work",
  }),
  retryWhat: (): Advice => ({
    message: "retry takes one bead, or --all for every bead that is blocked, and --reason only with --all",
    hint: "`koryph status` lists the beads that are blocked, and why",
  }),
  resizeWhat: (): Advice => ({
    message: "resize takes a number, or --clear",
    hint: "for example: koryph resize 2",
  }),
  someFailed: (count: number): Advice => ({
    message: `${count} of the registered projects could not be asked; the others were`,
    hint: "put right what is said above; `koryph project remove` forgets one that is gone",
  }),
  noRunAnywhere: (): Advice => ({
    message: "no run is under way in any registered project",
    hint: "`koryph project list` shows them; `koryph run` starts a run in one of them",
  }),
  noOutput: (bead: string, folder: string): Advice => ({
    message: `no output of ${bead} is on this machine: it would be in ${plainText(folder)}`,
    hint: "its agent has not started yet, or it works on another machine",
  }),
  noProjects: (): Advice => ({
    message: "no project is registered on this machine",
    hint: "a project's first run registers it, or use `koryph project add`",
  }),
};

/** A line for a project that could not be asked while others were. */
export function notAskedLine(project: string, problem: string): string {
  return `${project}: not asked: ${plainText(problem)}`;
}

/** An agent that was started and has said nothing. */
export function silentLine(folder: string, ended: boolean): string {
  const silent = ended ? "its agent ended and printed nothing" : "nothing was printed yet";
  return `  ${silent}; its files are in ${plainText(folder)}`;
}

/** Why the log of a bead has no line. The ledger keeps how beads stand when it rolls their events away. */
export function emptyLogLine(bead: string, state: Pick<LedgerState, "slots">, archived: boolean): string {
  if (state.slots[bead] !== undefined)
    return `koryph: the events about ${bead} were rolled into archives\n  next: \`koryph log --bead ${bead} --archived\` shows them`;
  const { message, hint } = refusalAdvice(unknownBead(bead, state));
  const more = archived ? "" : "; --archived also looks into what was rolled";
  return `koryph: ${message}\n  next: ${hint}${more}`;
}
