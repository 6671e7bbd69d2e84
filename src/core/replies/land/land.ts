import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { LandProgress } from "../../land/land-progress.js";
import { runningText } from "./landing-clock.js";
import { shortSha } from "./quote.js";

/** What a landing, or the way to it, says about a bead. */
export const landWords = {
  closed: (head: string): string => `landed: ${head}`,
  notThere: (bead: string, head: string): string =>
    `${bead} is recorded as landed with ${shortSha(head)}, which is not on the default branch; its work is kept`,
  merges: (): string => "it contains merges",
  nothingFinished: (): string => "no finished bead waits for koryph land",
  nothingToLand: (): string => "the agent's branch has no commit that the default branch lacks",
};

export const landAdvice = {
  landWhat: (): Advice => ({
    message: "land takes beads, or --all",
    hint: "`koryph list` shows which are finished",
  }),
  cancelAlone: (): Advice => ({
    message: "--cancel takes no other flag but --json",
    hint: "`koryph land 17 --cancel` takes pull request 17 out of the landing queue",
  }),
  checkout: (why: string): Advice => ({
    message: why,
    hint: "koryph goes on by itself after that",
  }),
  takenBack: (branch: string, head: string, tip: string): Advice => ({
    message: `${head} was put on ${branch}, and now the remote shows ${tip} without it`,
    hint: "somebody rewound the branch since; the ledger keeps the landing on record",
  }),
};

/** Said at once, because ending a gate takes a moment. */
export function withdrawingLine(bead: string): string {
  return `taking the landing of ${bead} back…`;
}

/** Neither landed nor refused: it was interrupted, or somebody else took it back. */
export function unfinishedLine(bead: string): string {
  return `${bead} was not landed; koryph status tells how it stands`;
}

/** The line that says how a landing ended; `already` where it had landed before it was asked for. */
export function landedLine(bead: string, head: string, branch: string | null, already = false): string {
  return `${bead} ${already ? "had landed already" : "landed"}${branch === null ? "" : ` on ${plainText(branch)}`} as ${head}`;
}

/** What a landing is doing just now. */
export function landStepText(step: LandProgress): string {
  switch (step.kind) {
    case "begun":
      return "its turn to land has come";
    case "command":
      return runningText(step);
    case "rebased":
      return `the default branch moved, so it was replayed on ${shortSha(step.onto)} as ${shortSha(step.head)}`;
    case "squashed":
      return `its commits became one on ${shortSha(step.onto)}: ${shortSha(step.head)}`;
    case "gate":
      return `running the gate on ${shortSha(step.head)}`;
    case "base-gate":
      return `its gate is red; running it on the default branch itself, ${shortSha(step.head)}, to see whose fault that is`;
    case "pushing-branch":
      return `pushing ${shortSha(step.head)} to the pull request's branch`;
    case "pushing":
      return `the gate is green, landing ${shortSha(step.head)}`;
    case "opening":
      return `the gate is green, opening a pull request with ${shortSha(step.head)}`;
  }
}

/** A finished bead that `--all` passes over. */
export function leftOutLine(bead: string, why: string): string {
  return `${bead} is left out: ${why}`;
}

export function landedOfLine(landed: number, asked: number): string {
  return `${landed} of ${asked} beads landed`;
}
