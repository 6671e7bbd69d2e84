import type { ControlCommand } from "../../control/control-command.js";
import type { ControlChange, ControlRefusal, FoundAlready } from "../../control/control-decision.js";
import type { Hold } from "../../run/ledger/ledger-state.js";
import type { Slot } from "../../run/ledger/slot.js";
import { statusWord } from "../beads/status-word.js";
import { didYouMean } from "../did-you-mean.js";
import { versionToBringIn } from "../ledger/needed-version.js";
import { stopSentence } from "./stop-sentence.js";
import { type Style, shownTime } from "./style.js";

const AGENT_GOES_ON = {
  "at-work": "the agent that is at work goes on",
  perhaps: "an agent that has begun meanwhile goes on",
} as const;

/** What a command does, or would do. */
export function changeSentence(change: ControlChange, style: Style): string {
  const { name, quote } = style;
  switch (change.verb) {
    case "hold":
      return heldSentence(change, style);
    case "unhold":
      return `${name(change.bead)} is not held any more`;
    case "retry":
      return retriedSentence(change, style);
    case "nudge":
      return `left for the agent of ${name(change.bead)}${change.cut ? ", without its end, as it is too long" : ""}: “${quote(change.text)}”`;
    case "stop":
      return stopSentence(change, style);
    case "drain":
      return "agents at work finish, no new ones start, then the run ends";
    case "resize":
      return change.max === null
        ? "the width is the one the run was started with"
        : `at most ${change.max} ${change.max === 1 ? "agent works" : "agents work"} at once in this run`;
    case "inject":
      return `${name(change.bead)} is injected: the run takes it once it is ready${change.hold === null ? "" : ` and not held any more, by ${holder(change.hold, style)}`}`;
  }
}

const MOST_NAMED = 20;

function retriedSentence(
  { beads, underWay }: Extract<ControlChange, { verb: "retry" }>,
  { name, code }: Style,
): string {
  const named = beads.slice(0, MOST_NAMED).map(name).join(", ");
  const more = beads.length > MOST_NAMED ? ` and ${beads.length - MOST_NAMED} more` : "";
  const next = code("koryph run --resume");
  if (beads.length === 1)
    return underWay ? `${named} goes back to an agent` : `${named} is queued for the next run: ${next}`;
  return underWay
    ? `${beads.length} beads go back to agents: ${named}${more}`
    : `${beads.length} beads are queued for the next run, ${next}: ${named}${more}`;
}

function heldSentence(
  { bead, before, agent, landing, known }: Extract<ControlChange, { verb: "hold" }>,
  style: Style,
): string {
  return [
    `${style.name(bead)} is held: no new attempt is started and nothing of it lands`,
    ...(before === null ? [] : [`it replaces the hold by ${holder(before, style)}`]),
    ...(agent === "none" || !known ? [] : [AGENT_GOES_ON[agent]]),
    ...(landing ? ["its landing keeps its place in the queue until then"] : []),
    ...(known
      ? []
      : [`no run knows of it yet, and it may not exist: ${style.verb(`unhold ${bead}`)} takes it back`]),
  ].join("; ");
}

export function alreadySentence(found: FoundAlready, style: Style): string {
  const { name, quote } = style;
  switch (found.verb) {
    case "retry": {
      if (found.blocked === 0) return "no bead is blocked, so there is nothing to retry";
      const those =
        found.blocked === 1 ? "the one bead that is blocked" : `any of the ${found.blocked} blocked beads`;
      return `nothing to retry: “${quote(found.reason ?? "")}” is not what ${those} is blocked for`;
    }
    case "hold":
      return `${name(found.bead)} is held already, by ${holder(found.hold, style)}`;
    case "drain":
      return `drain is asked for already, by ${name(found.request.actor)} at ${name(found.request.at)}`;
    case "inject":
      return `inject of ${name(found.bead)} is asked for already, by ${name(found.request.actor)} at ${name(found.request.at)}`;
  }
}

/** For whoever asks something of an engine that may be gone. */
export function silentSentence(since: number, { code }: Style): string {
  return `Nothing was heard of the run's engine since ${shownTime(since)}: unless it comes back, ${code("koryph run --resume")} is needed`;
}

interface RefusalWords {
  readonly said: string;
  /** What to do next; empty when there is nothing to do about it. */
  readonly next: string;
}

/** Why a command is not carried out: what was found, and what to do next. */
export function refusalWords(refusal: ControlRefusal, style: Style): RefusalWords {
  const { name, code, quote, verb } = style;
  switch (refusal.code) {
    case "read_only":
      return {
        said: `the ledger holds ${name(refusal.type)}, which this version of koryph does not understand`,
        next: `whoever runs koryph has to ${quote(versionToBringIn(refusal.needs))}`,
      };
    case "before_run":
      return {
        said: "the run that is under way began after this was written",
        next: `${verb(refusal.verb)} in a new comment is meant for it`,
      };
    case "other_run":
      return {
        said: `this was asked of run ${name(refusal.run)}, and ${refusal.now === null ? "no run is on record" : `the last one is ${name(refusal.now)}`}`,
        next: `use the check run of that one, or type ${verb("status")}`,
      };
    case "no_run":
      return noRun(refusal.command, style);
    case "no_bead": {
      const beforeText = refusal.verb === "hold" || refusal.verb === "nudge";
      return {
        said: "this thread belongs to no bead that I know of",
        next: `name one: ${verb(`${refusal.verb} ${beforeText ? "bead=<id>" : "<id>"}`)}`,
      };
    }
    case "unknown_bead":
      return {
        said: `no run knows of ${name(refusal.bead)}${didYouMean(refusal.near.map(name))}`,
        next: `${verb("status")} lists the beads that runs have taken; one that was taken just now shows up within a minute`,
      };
    case "absent_bead":
      return {
        said: `the work source has no bead ${name(refusal.bead)}`,
        next: `${code("koryph list")} shows those that are open`,
      };
    case "closed_bead":
      return { said: `${name(refusal.bead)} is closed, so no run takes it`, next: "open it again first" };
    case "draining":
      return {
        said: `the run is draining, asked for by ${name(refusal.request.actor)}, and takes nothing new${refusal.hold === null ? "" : `; ${name(refusal.bead)} is held too, by ${holder(refusal.hold, style)}`}`,
        next: `when it has ended, ${refusal.hold === null ? "" : `${style.verb(`unhold ${refusal.bead}`)}; then `}${code(`koryph run --only ${refusal.bead}`)} starts one for it`,
      };
    case "landed":
      return standing(refusal.slot, `there is nothing to ${refusal.verb}`, style);
    case "not_at_work":
      return standing(refusal.slot, "no agent is at work on it", style);
    case "not_blocked":
      return standing(refusal.slot, "there is nothing to retry", style);
    case "taken":
      return standing(refusal.slot, "a run has it already", style);
    case "not_held":
      return {
        said: `${name(refusal.bead)} is not held`,
        next: `${verb("status")} lists the beads that are`,
      };
    case "too_wide":
      return {
        said: `${refusal.max} is above ${code("max_concurrent_slots")}, which is ${refusal.ceiling}`,
        next: `choose a smaller width, or add ${code("--force")}`,
      };
  }
}

function noRun(command: ControlCommand, { code }: Style): RefusalWords {
  const said = (verb: string) => `no run is under way, so there is nothing to ${verb}`;
  if (command.verb === "inject")
    return {
      said: said("inject into"),
      next: `${code(`koryph run --only ${command.bead}`)} starts one with it`,
    };
  if (command.verb === "resize" && command.max !== null)
    return { said: said("resize"), next: `${code(`koryph run --max ${command.max}`)} starts one so wide` };
  return { said: said(command.verb), next: `${code("koryph run")} starts one` };
}

/** How a bead stands, what follows from it, and what brings the bead on. */
function standing(slot: Slot, follows: string, { name, waysOn }: Style): RefusalWords {
  const { bead, status, landed } = slot;
  const stands =
    status === "merged"
      ? `has landed${landed === null ? "" : ` as ${name(landed)}`}`
      : `is ${statusWord(status)}`;
  return { said: `${name(bead)} ${stands}, so ${follows}`, next: waysOn(slot) };
}

/** The reason ends the sentence or stands before a semicolon: what is in it is anybody's word. */
function holder({ actor, reason }: Hold, { name, quote }: Style): string {
  return `${name(actor)}${reason === "" ? "" : `: ${quote(reason)}`}`;
}
