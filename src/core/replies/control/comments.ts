import type { Verb } from "../../commands/command.js";
import type { ProjectReading } from "../../config/read-project.js";
import type { Refused } from "../../control/refused.js";
import type { Hold } from "../../run/ledger/ledger-state.js";
import type { Slot } from "../../run/ledger/slot.js";
import { shownCode, shownText } from "../markdown.js";
import { shownTime } from "./why.js";

interface HoldFacts {
  /** The hold that this one replaces. */
  readonly before: Hold | null;
  /** An engine tells with some delay what it has started, so one may be at work that is not on record yet. */
  readonly agent: "at-work" | "perhaps" | "none";
  /** A run has taken it, or it is the thread's own. */
  readonly known: boolean;
}

const AGENT_GOES_ON = {
  "at-work": "the agent that is at work goes on",
  perhaps: "an agent that has begun meanwhile goes on",
} as const;

/** What is said when a command did something, or would have. All of it is markdown. */
export const saidBy = {
  help: (topic: string | null): string =>
    topic === null ? "what I understand" : `about ${shownCode(topic)}`,
  status: (bead: string | null): string =>
    bead === null ? "how the project stands" : `how ${shownCode(bead)} stands`,
  silent: (said: string, since: number): string =>
    `${said}. Nothing was heard of the run's engine since ${shownTime(since)}: unless it comes back, ${shownCode("koryph run --resume")} is needed`,
  notTaken: (bead: string): string =>
    `no run has taken ${shownCode(bead)} yet, so this is how the project stands`,
  held: (bead: string, { before, agent, known }: HoldFacts): string => {
    const parts = [
      `${shownCode(bead)} is held: no new attempt is started and nothing of it lands`,
      ...(before === null ? [] : [`it replaces the hold by ${holder(before)}`]),
      ...(agent === "none" || !known ? [] : [AGENT_GOES_ON[agent]]),
      ...(known ? [] : [`no run knows of it yet, and it may not exist: ${unholdWay(bead)} takes it back`]),
    ];
    return parts.join("; ");
  },
  heldAlready: (bead: string, hold: Hold): string => `${shownCode(bead)} is held already, by ${holder(hold)}`,
  unheld: (bead: string): string => `${shownCode(bead)} is not held any more`,
  retry: (bead: string, underWay: boolean): string =>
    underWay
      ? `${shownCode(bead)} goes back to an agent`
      : `${shownCode(bead)} is queued for the next run: ${shownCode("koryph run --resume")}`,
  nudge: (bead: string, text: string): string =>
    `left for the agent of ${shownCode(bead)}: “${shownText(text, 300)}”`,
  stop: (bead: string, force: boolean): string =>
    force
      ? `the agent of ${shownCode(bead)} is killed; what it has not committed is lost`
      : `the agent of ${shownCode(bead)} is asked to stop; what it has committed is kept`,
  stopAll: (force: boolean): string =>
    force
      ? "all agents of the run are killed; what they have not committed is lost"
      : "all agents of the run are asked to stop; what they have committed is kept",
  drain: (): string => "agents at work finish, no new ones start, then the run ends",
  resize: (max: number | null): string =>
    max === null
      ? "the width is the one the run was started with"
      : `at most ${max} ${max === 1 ? "agent works" : "agents work"} at once in this run`,
  wouldBe: (said: string): string => `would be done: ${said}`,
  linked: (login: string): string => `linked to ${shownCode(`@${login}`)}`,
};

/** Why a command is not carried out: what was found, and what to do next. */
export const talkRefusal = {
  noBead: (verb: Verb): Refused =>
    refused(
      "no_bead",
      "this thread belongs to no bead that I know of",
      `name one: ${shownCode(`/koryph ${verb} ${verb === "hold" || verb === "nudge" ? "bead=<id>" : "<id>"}`)}`,
    ),
  noSlot: (bead: string): Refused =>
    refused(
      "unknown_bead",
      `no run knows of ${shownCode(bead)}`,
      `${shownCode("/koryph status")} lists the beads that runs have taken; one that was taken just now shows up within a minute`,
    ),
  notAtWork: (slot: Slot): Refused =>
    refused("not_at_work", `${standing(slot)}, so no agent is at work on it`, whatFor(slot)),
  notBlocked: (slot: Slot): Refused =>
    refused("not_blocked", `${standing(slot)}, so there is nothing to retry`, whatFor(slot)),
  landed: (slot: Slot): Refused =>
    refused("landed", `${standing(slot)}, so there is nothing to hold`, whatFor(slot)),
  notHeld: (bead: string): Refused =>
    refused("not_held", `${shownCode(bead)} is not held`, `${shownCode("/koryph status")} lists what is`),
  beforeRun: (verb: Verb): Refused =>
    refused(
      "before_run",
      "the run that is under way began after this was written",
      `${shownCode(`/koryph ${verb}`)} in a new comment is meant for it`,
    ),
  noRun: (verb: Verb): Refused =>
    refused(
      "no_run",
      `no run is under way, so there is nothing to ${verb}`,
      `${shownCode("koryph run")} starts one`,
    ),
  tooWide: (max: number, ceiling: number): Refused =>
    refused(
      "too_wide",
      `${max} is above ${shownCode("max_concurrent_slots")}, which is ${ceiling}`,
      `choose a smaller width, or add ${shownCode("--force")}`,
    ),
  readOnly: ({ type, needs }: { readonly type: string; readonly needs: string }): Refused =>
    refused(
      "read_only",
      `the ledger holds ${shownCode(type)}, which this version of me does not understand`,
      `whoever runs me has to bring in ${shownText(needs)}`,
    ),
  later: (verb: Verb): Refused =>
    refused(
      "not_available",
      `${shownCode(verb)} comes with pull-request support, which is not built yet`,
      `${shownCode("/koryph help")} tells what works today and what does not`,
    ),
  notPermitted: (verb: Verb, needed: string, current: string): Refused =>
    refused(
      "not_permitted",
      `${shownCode(verb)} takes the ${shownCode(needed)} role here, and yours is ${shownCode(current)}`,
      "ask somebody who has it",
    ),
  botVerb: (verb: Verb): Refused =>
    refused(
      "not_permitted",
      `this app may not use ${shownCode(verb)}`,
      `${shownCode("commands.bots")} in koryph.project.json on the default branch lists what it may`,
    ),
  noProject: (): Refused =>
    refused(
      "no_project",
      `there is no ${shownCode("koryph.project.json")} on the default branch`,
      `${shownCode("koryph init")} in a checkout makes one`,
    ),
  badProject: (why: string): Refused =>
    refused(
      "bad_project",
      `${shownCode("koryph.project.json")} on the default branch cannot be used: ${shownText(why, 300)}`,
      `${shownCode("koryph validate")} in a checkout tells more`,
    ),
  tooOld: (floor: string, version: string): Refused =>
    refused(
      "engine_too_old",
      `this project asks for koryph ${shownCode(floor)}, and this server runs ${shownCode(version)}`,
      "whoever runs it has to bring in that version",
    ),
  /** The advice that goes with it names folders of the server, which are nobody's business here. */
  ledger: (message: string): Refused =>
    refused("ledger_refused", shownText(message, 300), "whoever runs koryph finds the way out in its log"),
  edited: (): Refused =>
    refused(
      "comment_edited",
      "the comment was edited before I got to it, so nothing was done",
      "write a new comment: only what stands in a comment when it is written counts",
    ),
  deleted: (): Refused =>
    refused("comment_deleted", "the comment was deleted before I got to it, so nothing was done", ""),
  afterFailure: (): Refused =>
    refused("skipped", "not done, because one before it failed", "send it again once that is put right"),
  tooMany: (most: number, left: number): Refused =>
    refused(
      "too_many",
      `${left} more ${left === 1 ? "command was" : "commands were"} not read: one comment holds ${most} at most`,
      "send the rest in another comment",
    ),
};

/** A project file that cannot be used, in one sentence. */
export function badProject(reading: Exclude<ProjectReading, { kind: "ok" }>): string {
  switch (reading.kind) {
    case "unreadable":
      return reading.problem;
    case "newer":
      return `its schema_version is ${reading.version}, which needs a newer koryph`;
    case "wrong": {
      const [first, ...others] = reading.problems;
      const rest = others.length > 0 ? `, and ${others.length} more` : "";
      return first === undefined ? "" : `${first.key} is ${first.found}, and must be ${first.need}${rest}`;
    }
  }
}

function refused(code: string, said: string, next: string): Refused {
  return { kind: "refuse", code, said, next };
}

/** How a bead stands, as the beginning of a sentence. */
function standing({ bead, status, landed }: Slot): string {
  if (status !== "merged") return `${shownCode(bead)} is ${status}`;
  return `${shownCode(bead)} has landed${landed === null ? "" : ` as ${shownCode(landed)}`}`;
}

/** What has landed waits for nothing. */
function whatFor({ bead, status }: Slot): string {
  return status === "merged" ? "" : `${shownCode(`/koryph why ${bead}`)} tells what it waits for`;
}

/** The reason ends the sentence or stands before a semicolon: what is in it is anybody's word. */
function holder({ actor, reason }: Hold): string {
  return `${shownCode(actor)}${reason === "" ? "" : `: ${shownText(reason, 300)}`}`;
}

function unholdWay(bead: string): string {
  return shownCode(`/koryph unhold ${bead}`);
}
