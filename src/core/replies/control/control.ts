import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { ControlRequest, Hold } from "../../run/ledger/ledger-state.js";
import { because } from "./steering.js";

/** What brings a bead on that no agent works on. */
function nextOf(bead: string, status: string): string {
  switch (status) {
    case "queued":
      return "its next attempt is started by a running engine, else by `koryph run --resume`";
    case "blocked":
      return `\`koryph retry ${bead}\` lets it try again`;
    case "merge-pending":
      return `it is finished: its commits are on agent/${bead}`;
    default:
      return "`koryph status` lists the beads that are at work";
  }
}

export const controlAdvice = {
  stopWhat: (): Advice => ({
    message: "stop takes one bead, or --all",
    hint: "`koryph status` lists the beads that are at work",
  }),
  resizeWhat: (): Advice => ({
    message: "resize takes --max <n> or --clear",
    hint: "for example: koryph resize --max 2",
  }),
  tooWide: (max: number, ceiling: number): Advice => ({
    message: `${max} is above max_concurrent_slots, which is ${ceiling}`,
    hint: "choose a smaller width, or add --force",
  }),
  noSlot: (bead: string): Advice => ({
    message: `no run knows of ${bead}`,
    hint: "`koryph status` lists the beads that runs have taken",
  }),
  noBead: (bead: string): Advice => ({
    message: `the work source has no bead ${bead}`,
    hint: "`koryph status --frontier` lists those that are ready",
  }),
  noRun: (verb: "drain" | "resize" | "stop"): Advice => ({
    message: nothingTo(verb),
    hint: "`koryph run` starts one",
  }),
  noRunToWiden: (max: number): Advice => ({
    message: nothingTo("resize"),
    hint: `\`koryph run --max ${max}\` starts one so wide`,
  }),
  noRunToInject: (bead: string): Advice => ({
    message: nothingTo("inject into"),
    hint: `\`koryph run --only ${bead}\` starts one with it`,
  }),
  someFailed: (count: number): Advice => ({
    message: `${count} of the registered projects could not be asked; the others were`,
    hint: "put right what is said above; `koryph project remove` forgets one that is gone",
  }),
  noRunAnywhere: (): Advice => ({
    message: "no run is under way in any registered project",
    hint: "`koryph project list` shows them; `koryph run` starts a run in one of them",
  }),
  takenAlready: (bead: string, status: string): Advice => ({
    message: `${bead} is ${status}, so a run has it already`,
    hint: nextOf(bead, status),
  }),
  landed: (bead: string, verb: "hold" | "inject"): Advice => ({
    message: `${bead} has landed, so ${verb === "hold" ? "nothing of it can be held" : "there is nothing to inject"}`,
    hint: "open it again in the work source if there is more to do",
  }),
  closedBead: (bead: string): Advice => ({
    message: `${bead} is closed, so no run takes it`,
    hint: "open it again first",
  }),
  notHeld: (bead: string): Advice => ({
    message: `${bead} is not held`,
    hint: "`koryph status` lists the beads that are",
  }),
  notAtWork: (bead: string, status: string): Advice => ({
    message: `${bead} is ${status}, so no agent is at work on it`,
    hint: nextOf(bead, status),
  }),
  noOutput: (bead: string, folder: string): Advice => ({
    message: `no output of ${bead} is on this machine: it would be in ${plainText(folder)}`,
    hint: "its agent has not started yet, or it works on another machine",
  }),
  notBlocked: (bead: string, status: string): Advice => ({
    message: `${bead} is ${status}, so there is nothing to try again`,
    hint: "a bead that is blocked, in conflict or finished can be sent back to an agent",
  }),
  noProjects: (): Advice => ({
    message: "no project is registered on this machine",
    hint: "a project's first run registers it, or use `koryph project add`",
  }),
};

function nothingTo(verb: string): string {
  return `no run is under way, so there is nothing to ${verb}`;
}

/** What a verb did, or why it had nothing to do. */
export const controlWords = {
  noRun: (): string => " (no run is under way)",
  failed: (project: string, problem: string): string => `${project}: not asked: ${plainText(problem)}`,
  asked: (what: string): string => `${what} asked for`,
  askedAlready: (what: string, { actor, at }: ControlRequest): string =>
    `${what} is asked for already, by ${plainText(actor)} at ${plainText(at)}`,
  width: (max: number | null): string =>
    max === null ? "width back to what the run was started with" : `width ${max} asked for`,
  nudged: (bead: string): string => `nudge for ${bead} left`,
  retried: (bead: string): string =>
    `${bead} is queued; a running engine takes it up, else \`koryph run --resume\` does`,
  held: (bead: string): string => `${bead} is held; an agent that is at work on it goes on`,
  heldAlready: (bead: string, { actor, reason }: Hold): string =>
    `${bead} is held already, by ${because(actor, reason)}`,
  heldOtherwise: (bead: string, { actor, reason }: Hold): string =>
    reason === ""
      ? `${bead} is held for this reason now; ${plainText(actor)} had given none`
      : `${bead} is held for another reason now, in place of the one by ${because(actor, reason)}`,
  unheld: (bead: string): string => `${bead} is not held any more`,
  injected: (bead: string): string => `${bead} injected`,
};

/** An agent that was started and has said nothing. */
export function silentLine(folder: string): string {
  return `  nothing was printed yet; its files are in ${plainText(folder)}`;
}

/** `near` are beads of similar names that the ledger does know. */
export function unheardOfLine(bead: string, near: readonly string[], archived: boolean): string {
  const meant = near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`;
  const more = archived ? "" : " (--archived also looks into what was rolled)";
  return `koryph: the ledger has nothing about ${bead}${meant}${more}`;
}
