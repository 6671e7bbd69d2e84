import { resumesPull } from "../../../land/refusal.js";
import { addTokens, NO_TOKENS } from "../../../model/token-counts.js";
import type { EventData } from "../event-data.js";
import type { LedgerEvent } from "../ledger-event.js";
import type { Setbacks, Slot } from "../slot.js";
import { isOpen, waitsForPerson } from "../slot-groups.js";
import { tokensIn } from "./fold-spending.js";
import { keptSession } from "./kept-session.js";
import { refuseSlot } from "./refuse-slot.js";
import { sessionAfter, startAfter } from "./start-after.js";

export type SlotEvent = Extract<LedgerEvent, { type: `slot.${string}` | "control.retry" }>;

/**
 * Moves the bead's slot, in place. What comes late, twice or from another run moves nothing, and only what moved a
 * slot that stays is answered with true.
 */
export function foldSlot(slots: Record<string, Slot>, bead: string, event: SlotEvent): boolean {
  const slot = slots[bead];
  // Decided before somebody asked for the landing: what is in the queue stays there until it is over.
  if (slot?.status === "landing" && (event.type === "slot.dispatching" || event.type === "slot.dropped"))
    return false;
  if (event.type === "slot.dispatching") {
    slots[bead] = dispatched(bead, event, slot);
    return true;
  }
  if (!slot) return false;
  if (event.type === "slot.adopted") {
    if (slot.run !== event.data.from) return true;
    slot.run = event.run ?? slot.run;
    if (waitsForGithub(slot)) goOn(slot);
    return true;
  }
  // Only the run that owns a slot moves it; a request for a retry comes from outside any run.
  if (event.type !== "control.retry" && event.run !== undefined && event.run !== slot.run) return false;
  if (event.type === "slot.dropped") {
    delete slots[bead];
    return false;
  }
  if (!moved(slot, event)) return false;
  slot.at = event.at;
  return true;
}

/** Finished work whose pull request could not be opened, through no fault of its own. */
export function waitsForGithub({ status, mergePolicy, noteCode, refusal, candidate }: Slot): boolean {
  if (status !== "blocked" || mergePolicy !== "pr" || noteCode !== "land-refused") return false;
  return candidate !== null && refusal !== null && resumesPull(refusal);
}

/** As it was before the pull request was asked for: what follows is decided anew. */
function goOn(slot: Slot): void {
  slot.status = "passed";
  slot.refusal = null;
  slot.setbacks = { ...slot.setbacks, error: 0 };
  note(slot, "");
}

/** Whether the engine has the slot in hand: it may queue it, block it or let it wait for a person. */
function isInHand(slot: Slot): boolean {
  return isOpen(slot) && slot.status !== "landing";
}

/** False when the event does not fit the slot as it is, which then stays as it is. */
function moved(
  slot: Slot,
  event: Exclude<SlotEvent, { type: "slot.dispatching" | "slot.adopted" | "slot.dropped" }>,
): boolean {
  switch (event.type) {
    case "slot.started":
      if (event.data.attempt !== slot.attempt || slot.status !== "dispatching") return false;
      slot.status = "running";
      slot.process = event.data.process;
      return true;
    case "slot.stopping":
      if (event.data.attempt !== slot.attempt) return false;
      slot.stopping = { why: event.data.why, force: event.data.force };
      return true;
    case "slot.ended":
      if (event.data.attempt !== slot.attempt) return false;
      if (slot.status !== "running" && slot.status !== "dispatching") return false;
      ended(slot, event.data);
      return true;
    case "slot.queued":
      if (!isInHand(slot)) return false;
      queued(slot, event.data);
      return true;
    case "slot.passed":
      if (event.data.attempt !== slot.attempt || slot.status !== "ended") return false;
      slot.status = "passed";
      slot.passed = slot.task === "implement" ? [slot.task] : [...slot.passed, slot.task];
      slot.deaths = 0;
      note(slot, event.data.note, event.data.code);
      return true;
    case "slot.accepted":
      if (slot.status !== "passed") return false;
      accepted(slot, event.data);
      return true;
    case "slot.checked":
      if (slot.status !== "passed" || slot.candidate === null) return false;
      slot.candidate = { ...slot.candidate, base: event.data.base, head: event.data.head };
      slot.head = event.data.head;
      slot.checked = event.data.head;
      return true;
    case "slot.refused":
      if (slot.status !== "passed") return false;
      slot.status = "refused";
      refuseSlot(slot, event.data);
      return true;
    case "slot.reviewed":
      if (event.data.attempt !== slot.attempt || slot.status !== "passed") return false;
      slot.review = reviewIn(event.data);
      // Whoever takes it up again, be it after a person decided, goes by the last word.
      if (event.data.verdict === "blocking")
        slot.report = { kind: "review", run: slot.dispatchedBy, attempt: slot.attempt };
      return true;
    case "slot.finished":
      if (!isInHand(slot)) return false;
      slot.status = event.data.status;
      slot.head = event.data.head;
      slot.commits = event.data.commits;
      note(slot, event.data.note, event.data.code);
      return true;
    case "slot.blocked":
      if (!isInHand(slot)) return false;
      slot.status = event.data.status;
      note(slot, event.data.reason, event.data.code);
      return true;
    case "control.retry":
      if (!waitsForPerson(slot)) return false;
      slot.status = "queued";
      slot.task = "implement";
      slot.start = startAfter(slot);
      slot.notBefore = 0;
      slot.deaths = 0;
      slot.setbacks = noSetbacks();
      slot.refusal = null;
      Object.assign(slot, slot.insteadOf ?? {}, { insteadOf: null });
      note(slot, `retry asked for by ${event.actor}`);
      return true;
  }
}

function note(slot: Slot, text: string, code?: string): void {
  slot.note = text;
  slot.noteCode = code ?? null;
}

function accepted(slot: Slot, { commits, flags, ...candidate }: EventData<"slot.accepted">): void {
  slot.candidate = candidate;
  if (flags === undefined) delete slot.flags;
  else slot.flags = flags;
  slot.head = candidate.head;
  slot.commits = commits;
}

function queued(
  slot: Slot,
  { task, start, not_before, reason, code, counts, report }: EventData<"slot.queued">,
): void {
  const place = { run: slot.dispatchedBy, attempt: slot.attempt };
  if (report !== null) slot.report = { kind: report, ...place };
  if (task !== slot.task) slot.deaths = 0;
  slot.status = "queued";
  slot.task = task;
  slot.start = start;
  slot.notBefore = not_before;
  note(slot, reason, code);
  slot.refusal = null;
  switch (counts) {
    case "none":
    case "limit":
      return;
    case "death":
      slot.deaths += 1;
      return;
    default:
      slot.setbacks = { ...slot.setbacks, [counts]: slot.setbacks[counts] + 1 };
  }
}

function noSetbacks(): Setbacks {
  return { gate: 0, conflict: 0, style: 0, bounce: 0, error: 0 };
}

function ended(
  slot: Slot,
  { outcome, detail, code, session, usage, commits, head, began, uncommitted }: EventData<"slot.ended">,
): void {
  slot.status = "ended";
  slot.outcome = outcome;
  note(slot, detail, code);
  slot.costUsd += usage.cost_usd;
  slot.costKnown &&= usage.cost_known;
  // Stages and reviews have sessions of their own, which nobody goes on with.
  if (slot.task === "implement") {
    slot.session = sessionAfter(slot, outcome, session);
    if (usage.counted ?? usage.cost_known) slot.sessionCostUsd += usage.cost_usd;
    const told = tokensIn(usage);
    // Once a part of it is missing, nobody knows from where the counter goes on.
    slot.sessionTokens =
      told === undefined || slot.sessionTokens === null ? null : addTokens(slot.sessionTokens, told);
  }
  // A reviewer changes nothing: what was accepted stays what it is.
  if (slot.task === "review") return;
  slot.commits = commits;
  slot.head = head;
  slot.began = began ?? null;
  slot.uncommitted = uncommitted ?? false;
}

function dispatched(
  bead: string,
  { run, at, data }: Extract<SlotEvent, { type: "slot.dispatching" }>,
  before: Slot | undefined,
): Slot {
  // The first attempt begins the bead anew: what an earlier life cost or met is not its own.
  const earlier = data.attempt > 1 ? before : undefined;
  return {
    bead,
    run: run ?? "",
    dispatchedBy: run ?? "",
    title: data.title,
    status: "dispatching",
    attempt: data.attempt,
    tries: triesWith(data, before),
    task: data.task,
    asides: data.asides.map(({ task, model, model_why, timeout_seconds, estimate_usd, optional }) => ({
      task,
      model,
      modelWhy: model_why,
      timeoutSeconds: timeout_seconds,
      estimateUsd: estimate_usd,
      optional,
    })),
    // Implementing anew puts everything that was checked before in question.
    passed: data.task === "implement" ? [] : (before?.passed ?? []),
    candidate: data.task === "implement" ? null : (before?.candidate ?? null),
    checked: data.task === "implement" ? null : (before?.checked ?? null),
    review: data.task === "implement" ? null : (before?.review ?? null),
    report: data.task === "implement" && data.start === "fresh" ? null : (before?.report ?? null),
    setbacks: earlier?.setbacks ?? noSetbacks(),
    refusal: null,
    pull: earlier?.pull ?? null,
    branchHeads: before?.branchHeads ?? [],
    landed: null,
    landedFrom: null,
    settled: false,
    start: data.start,
    footprint: data.footprint,
    resources: data.resources,
    runtime: data.runtime,
    model: data.model,
    modelWhy: data.model_why,
    insteadOf: data.instead_of
      ? {
          model: data.instead_of.model,
          modelWhy: data.instead_of.model_why,
          estimateUsd: data.instead_of.estimate_usd,
        }
      : null,
    ...(data.release !== undefined && { release: data.release }),
    ...(data.account !== undefined && { account: data.account }),
    ...(data.contained !== undefined && { contained: data.contained }),
    ...(data.areas !== undefined && { areas: data.areas }),
    ...(data.task !== "implement" && before?.flags !== undefined && { flags: before.flags }),
    mergePolicy: data.merge_policy,
    riskTier: data.risk_tier,
    timeoutSeconds: data.timeout_seconds,
    estimateUsd: data.estimate_usd,
    costUsd: earlier?.costUsd ?? 0,
    costKnown: earlier?.costKnown ?? true,
    ...(data.task === "implement"
      ? {
          sessionCostUsd: data.session !== null ? (before?.sessionCostUsd ?? 0) : 0,
          sessionTokens: data.session !== null ? (before?.sessionTokens ?? null) : NO_TOKENS,
          session: data.session,
        }
      : keptSession(before, data)),
    process: null,
    commits: data.start === "resume" ? (before?.commits ?? 0) : 0,
    head: data.start === "resume" ? (before?.head ?? null) : null,
    began: data.start === "resume" ? (before?.began ?? null) : null,
    uncommitted: data.start === "resume" && (before?.uncommitted ?? false),
    deaths: earlier?.deaths ?? 0,
    notBefore: 0,
    stopping: null,
    outcome: null,
    lastEnd: before?.note ?? "",
    note: "",
    noteCode: null,
    at,
  };
}

/** The first attempt begins the bead anew. Where nothing is known of those before, each agent counts. */
function triesWith({ attempt, task }: EventData<"slot.dispatching">, before: Slot | undefined): number {
  if (attempt === 1 || before === undefined) return attempt;
  return before.tries + (task === "implement" ? 1 : 0);
}

function reviewIn({ head, verdict, note, criteria }: EventData<"slot.reviewed">): Slot["review"] {
  return { head, verdict, note, ...(criteria !== undefined && { criteria }) };
}
