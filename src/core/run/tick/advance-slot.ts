import type { DecidedEvent } from "../ledger/decided-event.js";
import type { Slot } from "../ledger/slot.js";
import type { Words } from "../ledger/slot-reason.js";
import { blockSlot } from "./block-slot.js";
import { type AttemptEnd, endEvents } from "./conclude-attempt.js";
import { concludeLanding } from "./conclude-landing.js";
import { afterAcceptance, checkedEvent, nextStage, nextTask, wantsCheck } from "./next-step.js";
import { resumeEvents } from "./pause-runtime.js";
import type { SlotEffect, SlotObservation, TickFacts } from "./tick-facts.js";

const UNSEEN: SlotObservation = {
  worktree: "absent",
  process: { kind: "none" },
  claim: null,
  left: null,
  judged: null,
  accepted: null,
  checked: null,
};

/**
 * The next step of one slot, from what is recorded and what is seen. Each step may be repeated, and each
 * leaves a trace that the next look sees, so a crash between any two of them loses nothing:
 *
 *   dispatching: claim the bead → prepare its clone → launch → (alive) record slot.started
 *   running:     (ended) collect, of a review: judge → record slot.ended with its sequel
 *   passed:      accept → record slot.accepted → check → the review; or what the merge policy says
 *   refused:     back to the implementer, another try, or blocked
 */
export function advanceSlot(slot: Slot, facts: TickFacts): SlotEffect[] {
  const observation = facts.observations.get(slot.bead) ?? UNSEEN;
  if (slot.status === "passed") return facts.interrupted ? [] : afterPass(slot, facts, observation);
  if (slot.status === "refused") return afterRefusal(slot, facts);
  const { process } = observation;
  if (process.kind === "alive") return whileAlive(slot, facts, process);
  if (process.kind === "ended") return afterEnd(slot, facts, observation, process.end);
  // No trace of a process: it was never started, or its machine is gone.
  if (slot.status === "running") {
    return afterEnd(slot, facts, observation, nothingKnown(slot, "lost", { code: "no-trace" }));
  }
  if (slot.stopping !== null)
    return afterEnd(slot, facts, observation, nothingKnown(slot, "stopped", slot.stopping.why));
  if (facts.interrupted)
    return afterEnd(slot, facts, observation, nothingKnown(slot, "stopped", { code: "interrupted" }));
  return towardsLaunch(slot, observation);
}

function afterPass(
  slot: Slot,
  { now, config, options }: TickFacts,
  { accepted, checked }: SlotObservation,
): SlotEffect[] {
  const { bead, run } = slot;
  const stage = nextStage(slot);
  if (stage !== null) return append(nextTask(slot, stage, now));
  if (slot.candidate !== null) {
    const step = { slot, config, options, now };
    if (!wantsCheck(step)) return append(afterAcceptance(step));
    return checked === null ? [{ kind: "check", bead }] : append(checkedEvent(slot, checked));
  }
  if (accepted === null) return [{ kind: "accept", bead }];
  if (accepted.kind === "failed") return append(blockSlot(slot, accepted.why));
  const { kind, ...data } = accepted;
  return append({ type: "slot.accepted", bead, run, data });
}

function afterRefusal(slot: Slot, { now, config }: TickFacts): SlotEffect[] {
  const sequel = concludeLanding(slot, config.merge_method, now);
  return sequel.kind === "wait" ? [] : append(sequel.event);
}

function append(event: DecidedEvent): SlotEffect[] {
  return [{ kind: "append", events: [event] }];
}

function towardsLaunch(slot: Slot, { claim, worktree }: SlotObservation): SlotEffect[] {
  const { bead, run } = slot;
  switch (claim) {
    case null:
      return [{ kind: "claim-bead", bead }];
    case "taken":
    case "gone": {
      const why = { code: claim === "taken" ? "bead-taken" : "bead-gone" } as const;
      return append({ type: "slot.dropped", bead, run, why, data: {} });
    }
    case "ours":
      return [worktree === "ready" ? { kind: "launch", bead } : { kind: "prepare", bead }];
  }
}

function whileAlive(
  slot: Slot,
  { interrupted, state }: TickFacts,
  { identity: process, answered }: Extract<SlotObservation["process"], { kind: "alive" }>,
): SlotEffect[] {
  const { bead, run, attempt } = slot;
  const effects: SlotEffect[] = [];
  if (slot.status === "dispatching") {
    effects.push(...append({ type: "slot.started", bead, run, data: { attempt, process } }));
  }
  const resumed = answered ? resumeEvents(slot, state.pauses) : [];
  if (resumed.length > 0) effects.push({ kind: "append", events: resumed });
  if (slot.stopping !== null) effects.push({ kind: "stop-agent", bead, force: slot.stopping.force });
  else if (interrupted) {
    const why = { code: "interrupted" } as const;
    effects.push(...append({ type: "slot.stopping", bead, run, why, data: { attempt, force: false } }));
  }
  return effects;
}

function afterEnd(
  slot: Slot,
  { now, options, interrupted, state }: TickFacts,
  { left, judged }: SlotObservation,
  end: AttemptEnd,
): SlotEffect[] {
  const { bead, task } = slot;
  if (task === "review" && judged === null) return [{ kind: "judge", bead }];
  // A reviewer changes nothing: what is there is what was accepted.
  const found =
    task === "review"
      ? { head: slot.head, began: slot.began, commits: slot.commits, dirty: false, said: null }
      : left;
  if (found === null) return [{ kind: "collect", bead }];
  const facts = { slot, end, left: found, now, judged, interrupted, pauses: state.pauses };
  const events = endEvents(
    options.backoffSeconds === undefined ? facts : { ...facts, backoffSeconds: options.backoffSeconds },
  );
  return [{ kind: "append", events }];
}

function nothingKnown(slot: Slot, kind: "lost" | "stopped", detail: Words): AttemptEnd {
  return { kind, detail, session: slot.session, costUsd: 0, costKnown: kind === "stopped", retryAt: null };
}
