import { firstInLine } from "../../land/landing-queue.js";
import type { Slot } from "../ledger/slot.js";
import { hasAgent, isOpen } from "../ledger/slot-groups.js";
import { isOverQuota } from "../plan/quota-refusal.js";
import { advanceSlot } from "./advance-slot.js";
import { answerRequests } from "./answer-requests.js";
import { concludeLanding } from "./conclude-landing.js";
import { type Dispatching, decideDispatch, passesByItself } from "./decide-dispatch.js";
import { afterFailure } from "./effect-failure.js";
import { takesPlace } from "./takes-place.js";
import type { Effect, Tick, TickFacts } from "./tick-facts.js";

/** The engine's one decision: from what is recorded and what is seen to what is to be done. */
export function decideTick(facts: TickFacts): Tick {
  const { state, run } = facts;
  const all = Object.values(state.slots);
  const slots = all.filter((slot) => slot.run === run);
  const manned = slots.filter(hasAgent);
  const between = slots.filter(({ status }) => status === "passed" || status === "refused");
  const effects: Effect[] = [...manned, ...between].flatMap((slot) => advanceSlot(slot, facts));
  effects.push(...answerRequests(facts, manned));
  const unsettled = facts.interrupted ? [] : settling(all, facts);
  effects.push(...landings(facts), ...unsettled.filter(({ due }) => due).map(({ effect }) => effect));
  const active = slots.filter((slot) => takesPlace(slot, facts));
  const dispatching = decideDispatch(facts, { slots, active, holding: all.filter(isOpen) });
  // Decided without knowing what one of these has just found out about its runtime; the next tick knows.
  const outdated = effects.some(pausesRuntime);
  if (!outdated) effects.push(...dispatching.effects);
  const ownBusiness = between.length + unsettled.length + firstInLine(state).length;
  const underWay = manned.length > 0 || (ownBusiness > 0 && !facts.interrupted);
  const idle = !underWay && effects.length === 0;
  const { paused, waiting, stuck, overQuota, ...seen } = dispatching;
  return {
    ...seen,
    memory: outdated ? facts.memory : seen.memory,
    staggered: paused === "stagger",
    wakeAt: earliest(dispatching.wakeAt, retryOfLandings(between, facts)),
    effects,
    end: idle ? endOf(facts, dispatching) : null,
  };
}

function pausesRuntime(effect: Effect): boolean {
  return effect.kind === "append" && effect.events.some(({ type }) => type === "runtime.paused");
}

/** Whatever may land now, whoever asked for it. */
function landings(facts: TickFacts): Effect[] {
  if (facts.interrupted) return [];
  return firstInLine(facts.state)
    .filter(({ bead }) => afterFailure("land", bead, facts).kind === "again")
    .map(({ id, bead }) => ({ kind: "land", bead, request: id }));
}

/** What has landed and is not tidied up. What cannot be, for a reason of its own, is left to the next run. */
function settling(
  slots: readonly Slot[],
  facts: TickFacts,
): { readonly effect: Effect; readonly due: boolean }[] {
  return slots
    .filter(({ status, settled }) => status === "merged" && !settled)
    .map(({ bead }) => ({ bead, sequel: afterFailure("settle", bead, facts).kind }))
    .filter(({ sequel }) => sequel !== "give-up")
    .map(({ bead, sequel }) => ({ effect: { kind: "settle", bead }, due: sequel === "again" }));
}

/** When the first of the refused landings may be tried again. */
function retryOfLandings(slots: readonly Slot[], { config, options, now }: TickFacts): number | null {
  const times = slots
    .filter(({ status }) => status === "refused")
    .map((slot) => concludeLanding({ slot, config, options, now }))
    .flatMap((sequel) => (sequel.kind === "wait" ? [sequel.until] : []));
  return times.length === 0 ? null : Math.min(...times);
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function endOf(facts: TickFacts, dispatching: Dispatching): Tick["end"] {
  const { work, state, baseGate } = facts;
  const { paused, waiting, unaffordable } = dispatching;
  switch (paused) {
    case "interrupted":
      return { reason: "interrupted", code: 0 };
    case "drain":
      return { reason: "operator-drain", code: 4 };
    case "budget":
      return { reason: "budget-cap", code: 0, unaffordable };
    case "once":
      return { reason: "once", code: 0 };
    // Nobody has looked for work yet, or at the default branch.
    case "stagger":
    case "base-unknown":
      return null;
    case "base-red":
      return baseGate?.kind === "red" ? { reason: "gate-red-on-base", code: 1, redBase: baseGate } : null;
    case null:
      // Nudges and stops still on the ledger are answered first.
      if (work === null || state.requests.some(({ request }) => request.verb !== "inject")) return null;
      return waiting > 0 ? null : endUnlessPaused(facts, dispatching);
  }
}

/** A run waits for a runtime that goes on by itself, and for a place, and ends with one that a person has to mend. */
function endUnlessPaused(facts: TickFacts, dispatching: Dispatching): Tick["end"] {
  const { stuck, overQuota, deferred } = dispatching;
  if (deferred.some(({ refusal }) => passesByItself(refusal))) return null;
  const paused = deferred.filter(({ refusal }) => refusal.code === "runtime_paused");
  if (stuck > 0 || paused.length > 0) return { reason: "runtime-fault", code: 1 };
  const over = deferred.filter(({ refusal }) => isOverQuota(refusal));
  if (overQuota + over.length > 0) return { reason: "quota-cap", code: 0, passedOver: over };
  return endOfWork(facts, dispatching);
}

/** Nothing is under way, and nothing that is ready may be begun. */
function endOfWork({ state, run }: TickFacts, { deferred, skipped }: Dispatching): Tick["end"] {
  // A bead in conflict was given back to the tracker, where it shows up as ready sooner or later.
  const kept = deferred.filter(({ bead }) => state.slots[bead.id]?.status !== "conflict");
  const held = Object.values(state.slots).some(
    ({ bead, status, run: of }) => status === "queued" && of === run && state.holds[bead] !== undefined,
  );
  const passedOver = [...kept, ...skipped];
  return kept.length > 0 || held
    ? { reason: "all-deferred", code: 0, passedOver }
    : { reason: "drained", code: 4, passedOver };
}
