import { accountAt } from "../../govern/account-pin.js";
import { isSameAccount } from "../../govern/verify-identity.js";
import { workFlag } from "../../land/work-flag.js";
import type { LeftBehind } from "../../model/agent-end.js";
import { crossedBeads } from "../../schedule/undeclared-paths.js";
import type { DecidedEvent } from "../ledger/decided-event.js";
import type { Slot } from "../ledger/slot.js";
import { isOpen } from "../ledger/slot-groups.js";
import type { Words } from "../ledger/slot-reason.js";
import { blockSlot } from "./block-slot.js";
import { type AttemptEnd, type AttemptFacts, endEvents } from "./conclude-attempt.js";
import { concludeLanding } from "./conclude-landing.js";
import { afterFailure, type EffectFailure } from "./effect-failure.js";
import { afterAcceptance, checkedEvent, nextStage, nextTask, wantsCheck } from "./next-step.js";
import { resumeEvents } from "./pause-runtime.js";
import type { Accepted, SlotEffect, SlotObservation, TickFacts } from "./tick-facts.js";

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
  const changed = changedAccount(slot, facts);
  if (changed !== null) return afterEnd(slot, facts, observation, nothingKnown(slot, "stopped", changed));
  return towardsLaunch(slot, facts, observation);
}

/**
 * Why a slot is not launched on the account that its dispatch recorded; null where it may be. Whoever resumes a run may
 * have other pins, or no leave to spend on a key: the slot is dispatched anew, on the account of now.
 */
function changedAccount({ account, runtime }: Slot, { accounts, options }: TickFacts): Words | null {
  if (account?.billing !== undefined) {
    const key = options.spendingKeys?.[runtime];
    return key?.fingerprint === account.fingerprint ? null : { code: "spend-withdrawn" };
  }
  const now = accountAt(accounts ?? {}, runtime) ?? undefined;
  return isSameAccount(account, now) ? null : { code: "account-changed" };
}

function afterPass(slot: Slot, facts: TickFacts, { accepted, checked }: SlotObservation): SlotEffect[] {
  const { bead } = slot;
  const { now, config, options } = facts;
  const stage = nextStage(slot);
  if (stage !== null) return append(nextTask(slot, stage, now));
  const giveUp = (failure: EffectFailure) => append(givenUp(slot, failure));
  if (slot.candidate !== null) {
    const step = { slot, config, options, now };
    if (!wantsCheck(step)) return append(afterAcceptance(step));
    return checked === null
      ? tryEffect({ kind: "check", bead }, facts, giveUp)
      : append(checkedEvent(slot, checked));
  }
  if (accepted === null) return tryEffect({ kind: "accept", bead }, facts, giveUp);
  if (accepted.kind === "failed") return append(blockSlot(slot, accepted.why));
  return [{ kind: "append", events: acceptedEvents(slot, accepted, facts) }];
}

function acceptedEvents(
  { bead, run }: Slot,
  { kind, flags = [], outside = [], refusal, ...made }: Extract<Accepted, { kind: "accepted" }>,
  { state }: TickFacts,
): DecidedEvent[] {
  const inFlight = Object.values(state.slots).filter((other) => other.bead !== bead && isOpen(other));
  const crossed = crossedBeads(outside, inFlight).flatMap(
    (other) => workFlag("in-flight", other.paths, other.bead) ?? [],
  );
  const found = [...flags, ...crossed];
  const data = { ...made, ...(found.length > 0 && { flags: found }) };
  return [
    { type: "slot.accepted", bead, run, data },
    ...(refusal === undefined ? [] : [{ type: "slot.refused", bead, run, data: refusal } as const]),
  ];
}

function afterRefusal(slot: Slot, { now, config, options }: TickFacts): SlotEffect[] {
  const sequel = concludeLanding({ slot, config, options, now });
  return sequel.kind === "wait" ? [] : append(sequel.event);
}

function append(event: DecidedEvent): SlotEffect[] {
  return [{ kind: "append", events: [event] }];
}

/** The effect, and nothing while it is too early to try again after a failure. */
function tryEffect(
  effect: Exclude<SlotEffect, { kind: "append" }>,
  facts: TickFacts,
  instead: (failure: EffectFailure) => SlotEffect[],
): SlotEffect[] {
  const sequel = afterFailure(effect.kind, effect.bead, facts);
  switch (sequel.kind) {
    case "again":
      return [effect];
    case "wait":
      return [];
    case "give-up":
      return instead(sequel.failure);
  }
}

function givenUp(slot: Slot, failure: EffectFailure): DecidedEvent {
  return blockSlot(slot, failedEffect(failure));
}

function towardsLaunch(slot: Slot, facts: TickFacts, { claim, worktree }: SlotObservation): SlotEffect[] {
  const { bead, run } = slot;
  switch (claim) {
    case null:
      return tryEffect({ kind: "claim-bead", bead }, facts, (failure) => append(givenUp(slot, failure)));
    case "taken":
    case "gone":
    case "unreleased": {
      // Somebody has to look at what the agents before made of the text as it was.
      if (claim === "unreleased" && slot.attempt > 1)
        return append(blockSlot(slot, { code: "bead-unreleased" }));
      const why = { code: `bead-${claim}` } as const;
      return append({ type: "slot.dropped", bead, run, why, data: {} });
    }
    case "ours":
      return tryEffect({ kind: worktree === "ready" ? "launch" : "prepare", bead }, facts, (failure) =>
        append(givenUp(slot, failure)),
      );
  }
}

function whileAlive(
  slot: Slot,
  facts: TickFacts,
  { identity: process, answered }: Extract<SlotObservation["process"], { kind: "alive" }>,
): SlotEffect[] {
  const { bead, run, attempt } = slot;
  const effects: SlotEffect[] = [];
  if (slot.status === "dispatching") {
    effects.push(...append({ type: "slot.started", bead, run, data: { attempt, process } }));
  }
  const resumed = answered ? resumeEvents(slot, facts.state.pauses) : [];
  if (resumed.length > 0) effects.push({ kind: "append", events: resumed });
  if (slot.stopping !== null) {
    const { force } = slot.stopping;
    // Nothing else ends it, so it is never given up; an interrupted engine leaves it behind in the end.
    effects.push(
      ...tryEffect({ kind: "stop-agent", bead, force }, facts, () => [{ kind: "stop-agent", bead, force }]),
    );
  } else if (facts.interrupted) {
    const why = { code: "interrupted" } as const;
    effects.push(...append({ type: "slot.stopping", bead, run, why, data: { attempt, force: false } }));
  }
  return effects;
}

function afterEnd(
  slot: Slot,
  facts: TickFacts,
  { left, judged }: SlotObservation,
  end: AttemptEnd,
): SlotEffect[] {
  const { bead, task } = slot;
  const { now, options, interrupted, state } = facts;
  const unread = (failure: EffectFailure) => {
    // Nobody knows what is there, so it is taken for work that is in no commit. The next run looks again.
    const found = { ...asRecorded(slot), dirty: true };
    const stopped = { ...end, kind: "stopped", detail: { code: "interrupted" } } as const;
    return sequel(
      interrupted
        ? { slot, end: stopped, left: found, now, interrupted }
        : { slot, end, left: found, now, pauses: state.pauses, failed: failedEffect(failure) },
    );
  };
  const sequel = (ended: AttemptFacts): SlotEffect[] => {
    const { backoffSeconds } = options;
    const events = endEvents(backoffSeconds === undefined ? ended : { ...ended, backoffSeconds });
    return [{ kind: "append", events }];
  };
  if (task === "review" && judged === null) return tryEffect({ kind: "judge", bead }, facts, unread);
  // A reviewer changes nothing: what is there is what was accepted.
  const found = task === "review" ? asRecorded(slot) : left;
  if (found === null) return tryEffect({ kind: "collect", bead }, facts, unread);
  return sequel({ slot, end, left: found, now, judged, interrupted, pauses: state.pauses });
}

function asRecorded({ head, began, commits }: Slot): LeftBehind {
  return { head, began, commits, dirty: false, said: null };
}

function failedEffect({ effect, tries, why }: EffectFailure): Words {
  return { code: "effect-failed", effect, times: tries, detail: why };
}

function nothingKnown(slot: Slot, kind: "lost" | "stopped", detail: Words): AttemptEnd {
  return { kind, detail, session: slot.session, costUsd: 0, costKnown: kind === "stopped", retryAt: null };
}
