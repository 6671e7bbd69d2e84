import { cutText } from "../../lib/cut-text.js";
import { plainText } from "../../lib/plain-text.js";
import type { Advice } from "../../lib/user-error.js";
import type { LandProgress } from "../land/land-progress.js";
import type { Refusal } from "../land/refusal.js";
import { explainSignature } from "./signing.js";

/** What a landing, or the way to it, says about a bead. */
export const landWords = {
  bounced: (note: string): string => `the review sends it back: ${note}`,
  stillBlocking: (bounces: number): string =>
    `the review still blocks after ${bounces} rounds, so a person decides: koryph land`,
  degraded: (note: string): string => `the review is degraded: ${note}`,
  noPullRequests: (): string =>
    "merge policy pr needs GitHub, which this project is not connected to; koryph land puts it on the default branch",
  needsAutoMerge: (): string =>
    "waits for koryph land, because this run had no --auto-merge to go with its merge policy auto",
  tooOften: (times: number, reason: string): string => `${times} times in a row, ${reason}`,
  closed: (head: string): string => `landed: ${head}`,
  otherBranch: (asked: string, found: string): string =>
    `it was to land on ${asked}, and the default branch is ${found} now`,
  withdrawn: (): string => "the landing was interrupted and taken back",
  notThere: (bead: string, head: string): string =>
    `${bead} is recorded as landed with ${short(head)}, which is not on the default branch; its work is kept`,
  elsewhere: (): string => "its commits were made on another machine and are not to be had here",
  nothingToLand: (): string => "the agent's branch has no commit that the default branch lacks",
};

export const landAdvice = {
  noSlot: (bead: string): Advice => ({
    message: `no run knows of ${bead}`,
    hint: "`koryph status` lists the beads that runs have taken",
  }),
  atWork: (bead: string, status: string): Advice => ({
    message: `${bead} is ${status}, so there is nothing to land yet`,
    hint:
      status === "queued"
        ? "`koryph run --resume` goes on with it"
        : "wait until it is finished (`koryph status`), or end its agent with `koryph stop`",
  }),
  underWay: (bead: string, how: string): Advice => ({
    message: `a landing of ${bead} is in the queue already, with ${how}`,
    hint: "`koryph land` without that flag joins it; after its end it can be asked for anew",
  }),
  held: (bead: string, actor: string, reason: string): Advice => ({
    message: `${bead} is held by ${plainText(actor)}${reason === "" ? "" : `: ${plainText(reason)}`}`,
    hint: `\`koryph unhold ${bead}\`, or \`/koryph unhold\` on its thread, lets it go on`,
  }),
  nothing: (bead: string, why: string): Advice => ({
    message: `${bead} cannot be landed: ${why}`,
    hint: "`koryph log --bead` tells what became of it",
  }),
  notAccepted: (bead: string): Advice => ({
    message: `what is saved of ${bead} on the remote is not what was accepted, and there is no clone of it here`,
    hint: "land it on the machine that worked on it, or let an agent take it up with `koryph retry`",
  }),
  takenBack: (branch: string, head: string, tip: string): Advice => ({
    message: `${head} was put on ${branch}, and now the remote shows ${tip} without it`,
    hint: "somebody rewound the branch since; the ledger keeps the landing on record",
  }),
  squashSigned: (): Advice => ({
    message:
      "squash would replace signed commits by one of koryph's own, and this project requires signatures",
    hint: "land with --method ff, which keeps every commit as it was signed",
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

/** The line that says how a landing ended. */
export function landedLine(bead: string, head: string): string {
  return `${bead} landed as ${head}`;
}

export function refusedLine(bead: string, refusal: Refusal): string {
  return `${bead} was not landed, ${refusal.result}: ${plainText(refusalDetail(refusal))}`;
}

/** What to do about a refusal; the part of the gate's output that a person reads first comes before it. */
export function refusalHint(bead: string, refusal: Refusal): string {
  switch (refusal.result) {
    case "dirty":
      return "commit or discard what is in its clone, then land it again";
    case "no-changes":
      return "close the bead if its work is on the default branch already";
    case "protected":
      return "land it yourself after a look: --allow-protected lifts .github/ and Makefile, anything else takes a commit of your own";
    case "commit-style":
    case "conflict":
    case "gate-failed":
      return `koryph retry ${bead} sends it back to an agent with the report; or mend it in its clone and land it again`;
    case "unsigned":
      return "see koryph signing status and docs/signing.md";
    case "error":
      return ERROR_HINTS[refusal.code];
  }
}

const ERROR_HINTS: Readonly<Record<Extract<Refusal, { result: "error" }>["code"], string>> = {
  base_busy: "try again when fewer people push",
  push_refused: "see to what it says, then land it again",
  squash_signed: "land it with --method ff",
  unsupported: "take it out of the branch, then land it again",
  no_candidate: "koryph retry lets an agent do the work",
  broken: "koryph log tells more",
  other_branch: "switch back, or land what is there by hand",
  interrupted: "land it again when you want it landed",
};

/** What a landing is doing just now. */
export function landStepText(step: LandProgress): string {
  switch (step.kind) {
    case "rebased":
      return `the default branch moved, so it was replayed on ${short(step.onto)} as ${short(step.head)}`;
    case "gate":
      return `running the gate on ${short(step.head)}`;
    case "pushing":
      return `the gate is green, landing ${short(step.head)}`;
  }
}

const MOST_NAMED = 3;
const LONGEST_NAME = 200;
const LONGEST_WHY = 1_000;

/** One line for the ledger, the terminal and the tracker: what was found and what is needed. */
export function refusalDetail(refusal: Refusal): string {
  switch (refusal.result) {
    case "dirty":
      return "the bead's clone has changes that are in no commit; commit or discard them";
    case "no-changes":
      return "its commits change nothing that the default branch does not have already";
    case "protected":
      return `it changes ${few(refusal.paths)}, which no agent may land; a person has to look at it`;
    case "commit-style":
      return `${few(refusal.commits.map(({ sha, subject }) => `${short(sha)} "${subject}"`))} ${refusal.commits.length === 1 ? "has a subject that is" : "have subjects that are"} not a conventional one, such as "fix(parser): accept an empty list"`;
    case "unsigned":
      return few(refusal.commits.map((commit) => `${short(commit.sha)} ${explainSignature(commit)}`));
    case "conflict":
      return refusal.files.length === 0
        ? "its commits cannot be replayed on the default branch"
        : `its commits and the default branch both change ${few(refusal.files)}`;
    case "gate-failed":
      return refusal.code === null
        ? `${refusal.command} ran out of time`
        : `${refusal.command} ended with ${refusal.code}`;
    case "error":
      return cutText(refusal.why, LONGEST_WHY);
  }
}

function few(items: readonly string[]): string {
  const named = items
    .slice(0, MOST_NAMED)
    .map((item) => cutText(item, LONGEST_NAME))
    .join(", ");
  return items.length > MOST_NAMED ? `${named} and ${items.length - MOST_NAMED} more` : named;
}

function short(sha: string): string {
  return sha.slice(0, 12);
}
