import { cutText } from "../../lib/cut-text.js";
import type { Command, Verb } from "../commands/command.js";
import { splitFirstWord } from "../commands/words.js";
import type { ProjectConfig } from "../config/project-schema.js";
import type { Thread } from "../model/thread.js";
import { redactText } from "../redact.js";
import { helpText } from "../replies/commands/command-help.js";
import { saidBy, talkRefusal } from "../replies/control/comments.js";
import { statusText } from "../replies/run/status.js";
import type { NewEvent } from "../run/ledger/ledger-event.js";
import { isUnderWay, type LedgerState } from "../run/ledger/ledger-state.js";
import { hasAgent, isOpen, waitsForPerson } from "../run/ledger/slot-groups.js";
import type { Refused } from "./refused.js";
import { silentSince } from "./silent-since.js";
import { whyText } from "./why.js";

export interface CommandFacts {
  readonly thread: Thread;
  /** The bead the thread is about; null when it is about none. */
  readonly bead: string | null;
  readonly config: Pick<ProjectConfig, "project_id" | "max_concurrent_slots">;
  readonly state: LedgerState;
  readonly now: number;
  /** When the comment was written. */
  readonly asked: number;
}

export type CommandPlan =
  | { readonly kind: "answer"; readonly said: string; readonly more: string }
  /** To be written into the ledger; `done` when that is all there is to it, else the engine acts on it. */
  | { readonly kind: "append"; readonly event: NewEvent; readonly done: boolean; readonly said: string }
  | { readonly kind: "link" }
  | { readonly kind: "unlink" }
  | Refused;

const LONGEST_REASON = 500;
const LONGEST_NUDGE = 10_000;

/** They are about the run that was under way when they were written. */
const STEERS: ReadonlySet<Verb> = new Set(["stop", "drain", "resize", "nudge"]);
/** What is answered so much later was found by a sweep, or waited for git; clocks differ by less. */
const LATE_MS = 5 * 60_000;

/** What a command comes to, as things stand. Whether the person may use it has been asked before. */
export function planCommand(command: Command, facts: CommandFacts): CommandPlan {
  const { state, now, asked } = facts;
  if (state.readOnly !== null && isMutating(command)) return talkRefusal.readOnly(state.readOnly);
  if (STEERS.has(command.verb) && now - asked >= LATE_MS && isUnderWay(state))
    if (Date.parse(state.run?.startedAt ?? "") > asked) return talkRefusal.beforeRun(command.verb);
  const plan = planVerb(command, facts);
  const silent = silentSince(state, now);
  const engines = plan.kind === "append" ? !plan.done : command.verb === "status" && plan.kind === "answer";
  return silent !== null && engines && "said" in plan
    ? { ...plan, said: saidBy.silent(plan.said, silent) }
    : plan;
}

function planVerb(command: Command, facts: CommandFacts): CommandPlan {
  const { state } = facts;
  switch (command.verb) {
    case "help":
      return { kind: "answer", said: saidBy.help(command.topic), more: helpText(command.topic) };
    case "status":
      return status(facts, command.bead);
    case "why":
      return why(facts, command.bead ?? facts.bead);
    case "link":
    case "unlink":
      return { kind: command.verb };
    case "hold":
      return hold(command, facts);
    case "unhold":
      return aboutBead(command, facts, (bead) =>
        state.holds[bead] === undefined
          ? talkRefusal.notHeld(bead)
          : {
              kind: "append",
              done: true,
              event: { type: "hold.lifted", bead, data: {} },
              said: saidBy.unheld(bead),
            },
      );
    case "retry":
      return aboutBead(command, facts, (bead) => {
        const slot = state.slots[bead];
        if (slot === undefined) return talkRefusal.noSlot(bead);
        if (!waitsForPerson(slot)) return talkRefusal.notBlocked(slot);
        const event: NewEvent = { type: "control.retry", bead, data: {} };
        return { kind: "append", done: false, event, said: saidBy.retry(bead, isUnderWay(state)) };
      });
    case "nudge":
      return nudge(command, facts);
    case "stop":
      return stop(command, facts);
    case "drain": {
      if (!isUnderWay(state)) return talkRefusal.noRun("drain");
      const event: NewEvent = { type: "control.drain", data: {} };
      return { kind: "append", done: false, event, said: saidBy.drain() };
    }
    case "resize":
      return resize(command, facts);
    case "review":
    case "approve":
    case "comment":
    case "close":
    case "land":
    case "sync":
      return talkRefusal.later(command.verb);
  }
}

export function isMutating(command: Command): command is Extract<Command, { readonly dryRun: boolean }> {
  return "dryRun" in command;
}

export function needsLedger({ verb }: Command): boolean {
  return verb !== "help" && verb !== "link" && verb !== "unlink";
}

function status({ state, config, bead: own }: CommandFacts, bead: string | null): CommandPlan {
  const meant = bead ?? own;
  const shown = meant === null ? undefined : state.slots[meant];
  if (bead !== null && shown === undefined) return talkRefusal.noSlot(bead);
  const slots = shown === undefined ? state.slots : { [shown.bead]: shown };
  const lines = statusText({ ...state, slots }, config.project_id, null);
  const said =
    shown === undefined && meant !== null ? saidBy.notTaken(meant) : saidBy.status(shown?.bead ?? null);
  return { kind: "answer", said, more: fenced(lines) };
}

function why(facts: CommandFacts, bead: string | null): CommandPlan {
  if (bead === null) return talkRefusal.noBead("why");
  return { kind: "answer", ...whyText(bead, { ...facts, own: facts.bead }) };
}

function aboutBead(
  command: { readonly verb: Verb; readonly bead: string | null },
  { bead }: CommandFacts,
  plan: (bead: string) => CommandPlan,
): CommandPlan {
  const meant = command.bead ?? bead;
  return meant === null ? talkRefusal.noBead(command.verb) : plan(meant);
}

/**
 * People put the bead first, as on the command line. The first word of a text is one if a run knows it, or if it looks
 * like that of an issue: `gh-12` in a text about something else would be a strange beginning.
 */
function beadFirst(
  text: string,
  { slots }: LedgerState,
): { readonly bead: string; readonly rest: string } | null {
  const { word, rest } = splitFirstWord(text) ?? { word: text, rest: "" };
  const isBead = slots[word] !== undefined || /^gh-[1-9]\d*$/.test(word);
  return isBead ? { bead: word, rest } : null;
}

function hold(
  command: { readonly bead: string | null; readonly reason: string },
  facts: CommandFacts,
): CommandPlan {
  const { state } = facts;
  const named = command.bead === null ? beadFirst(command.reason, state) : null;
  const bead = named?.bead ?? command.bead ?? facts.bead;
  if (bead === null) return talkRefusal.noBead("hold");
  const reason = cutText(redactText(named?.rest ?? command.reason), LONGEST_REASON);
  const slot = state.slots[bead];
  if (slot?.status === "merged") return talkRefusal.landed(slot);
  const before = state.holds[bead] ?? null;
  // One without a reason would take away the one there is, and it is held as asked for.
  if (before !== null && reason === "")
    return { kind: "answer", said: saidBy.heldAlready(bead, before), more: "" };
  return {
    kind: "append",
    done: true,
    event: { type: "hold.placed", bead, data: { reason } },
    said: saidBy.held(bead, {
      before,
      agent: agentOf(bead, state),
      known: slot !== undefined || bead === facts.bead,
    }),
  };
}

function agentOf(bead: string, state: LedgerState): "at-work" | "perhaps" | "none" {
  const slot = state.slots[bead];
  if (slot !== undefined && hasAgent(slot)) return "at-work";
  return isUnderWay(state) && (slot === undefined || isOpen(slot)) ? "perhaps" : "none";
}

function nudge(
  { bead, text }: { readonly bead: string | null; readonly text: string },
  facts: CommandFacts,
): CommandPlan {
  const { state } = facts;
  const first = bead === null ? beadFirst(text, state) : null;
  // A bead alone is no message.
  const named = first !== null && first.rest !== "" ? first : null;
  const meant = named?.bead ?? bead ?? facts.bead;
  if (meant === null) return talkRefusal.noBead("nudge");
  const slot = state.slots[meant];
  if (slot === undefined) return talkRefusal.noSlot(meant);
  if (!hasAgent(slot)) return talkRefusal.notAtWork(slot);
  const message = cutText(redactText(named?.rest ?? text), LONGEST_NUDGE);
  const event: NewEvent = { type: "control.nudge", bead: meant, data: { text: message } };
  return { kind: "append", done: false, event, said: saidBy.nudge(meant, message) };
}

function stop(
  command: { readonly bead: string | null; readonly all: boolean; readonly force: boolean },
  facts: CommandFacts,
): CommandPlan {
  const { state } = facts;
  const { force } = command;
  if (command.all) {
    if (!isUnderWay(state)) return talkRefusal.noRun("stop");
    const event: NewEvent = { type: "control.stop", data: { force } };
    return { kind: "append", done: false, event, said: saidBy.stopAll(force) };
  }
  return aboutBead({ verb: "stop", bead: command.bead }, facts, (bead) => {
    const slot = state.slots[bead];
    if (slot === undefined) return talkRefusal.noSlot(bead);
    if (!hasAgent(slot)) return talkRefusal.notAtWork(slot);
    const event: NewEvent = { type: "control.stop", bead, data: { force } };
    return { kind: "append", done: false, event, said: saidBy.stop(bead, force) };
  });
}

function resize(
  { max, force }: { readonly max: number | null; readonly force: boolean },
  { state, config }: CommandFacts,
): CommandPlan {
  if (!isUnderWay(state)) return talkRefusal.noRun("resize");
  const ceiling = config.max_concurrent_slots;
  if (max !== null && max > ceiling && !force) return talkRefusal.tooWide(max, ceiling);
  const event: NewEvent = { type: "control.resize", data: { max, force } };
  return { kind: "append", done: false, event, said: saidBy.resize(max) };
}

/** Text from outside in a block of its own: a fence longer than any in it cannot be left. */
function fenced(lines: readonly string[]): string {
  const text = lines.join("\n");
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
