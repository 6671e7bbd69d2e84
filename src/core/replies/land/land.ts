import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { LandProgress } from "../../land/land-progress.js";
import type { LandRefusal } from "../../land/refusal.js";
import { redactText } from "../../redact.js";
import type { Landing } from "../../run/ledger/ledger-state.js";
import { explainSignature } from "../sign/signing.js";
import { gateEnd } from "./gate.js";

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
  checkedOut: (asked: string, found: string): string =>
    `it lands on ${plainText(asked)}, and the checkout is on ${plainText(found)} now: git checkout ${plainText(asked)}, then land it again`,
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
    hint: atWorkHint(bead, status),
  }),
  underWay: ({
    bead,
    method,
    allowProtected,
  }: Pick<Landing, "bead" | "method" | "allowProtected">): Advice => ({
    message: `a landing of ${bead} is in the queue already, with --method ${method}${allowProtected ? "" : " and without --allow-protected"}`,
    hint: `\`koryph land ${bead}\` without that flag joins it; after its end it can be asked for anew`,
  }),
  held: (bead: string, actor: string, reason: string): Advice => ({
    message: `${bead} is held by ${plainText(actor)}${reason === "" ? "" : `: ${plainText(reason)}`}`,
    hint: `\`koryph unhold ${bead}\`, or \`/koryph unhold\` on its thread, lets it go on`,
  }),
  nothing: (bead: string, why: string): Advice => ({
    message: `${bead} cannot be landed: ${why}`,
    hint: `\`koryph log --bead ${bead}\` tells what became of it; if somebody landed it by hand, docs/landing.md ("By hand") tells how its bead is closed`,
  }),
  notAccepted: (bead: string): Advice => ({
    message: `what is saved of ${bead} on the remote is not what was accepted, and there is no clone of it here`,
    hint: `land it on the machine that worked on it, or let an agent take it up with \`koryph retry ${bead}\``,
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

/** Only where there is an agent can it be stopped. */
function atWorkHint(bead: string, status: string): string {
  if (status === "queued") return "`koryph run --resume` goes on with it";
  const wait = "wait until it is finished (`koryph status`)";
  const stoppable = ["dispatching", "running", "ended"].includes(status);
  return stoppable ? `${wait}, or end its agent with \`koryph stop ${bead}\`` : wait;
}

/** Said at once, because ending a gate takes a moment. */
export function withdrawingLine(bead: string): string {
  return `taking the landing of ${bead} back…`;
}

/** Neither landed nor refused: it was interrupted, or somebody else took it back. */
export function unfinishedLine(bead: string): string {
  return `${bead} was not landed; koryph status tells how it stands`;
}

/** The line that says how a landing ended. */
export function landedLine(bead: string, head: string, branch: string | null): string {
  return `${bead} landed${branch === null ? "" : ` on ${plainText(branch)}`} as ${head}`;
}

export function refusedLine(bead: string, refusal: LandRefusal): string {
  return `${bead} was not landed, ${refusal.result}: ${plainText(refusalDetail(refusal))}`;
}

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
export function refusalDetail(refusal: LandRefusal): string {
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
      return `${few(refusal.commits.map((commit) => `${short(commit.sha)} ${explainSignature(commit)}`))}${underSigned(refusal.under)}`;
    case "conflict":
      return refusal.files.length === 0
        ? "its commits cannot be replayed on the default branch"
        : `its commits and the default branch both change ${few(refusal.files)}`;
    case "gate-failed":
      return `${shown(refusal.command, LONGEST_WHY)} ${gateEnd(refusal)}`;
    case "error":
      return shown(refusal.why, LONGEST_WHY);
  }
}

function underSigned(above: string | undefined): string {
  if (above === undefined) return "";
  return `; koryph signs nothing that lies under ${short(above)}, whose own signature would be lost`;
}

/** Agents, their files and remotes say what they like, and what is said here is recorded for everybody. */
function shown(text: string, most: number): string {
  return cutText(redactText(plainText(text)), most);
}

function few(items: readonly string[]): string {
  const named = items
    .slice(0, MOST_NAMED)
    .map((item) => shown(item, LONGEST_NAME))
    .join(", ");
  return items.length > MOST_NAMED ? `${named} and ${items.length - MOST_NAMED} more` : named;
}

function short(sha: string): string {
  return sha.slice(0, 12);
}
