import { heldBack, type Refusal } from "../replies/schedule.js";
import { conflicts } from "../schedule/conflict.js";
import { ResourceHolders } from "../schedule/resources.js";
import { advanceSlot } from "./advance-slot.js";
import { LONGEST_WAIT_MS } from "./conclude-attempt.js";
import { estimateCostUsd } from "./estimate-cost.js";
import type { NewEvent } from "./ledger-event.js";
import { capacitiesOf, type Dispatch, planDispatch } from "./plan-dispatch.js";
import type { Slot } from "./slot.js";
import type { Effect, Tick, TickFacts, TickMemory } from "./tick-facts.js";

const OCCUPYING: ReadonlySet<string> = new Set(["dispatching", "running", "ended"]);

const MOST_ATTEMPTS = 1_000;

/** The engine's one decision: from what is recorded and what is seen to what is to be done. */
export function decideTick(facts: TickFacts): Tick {
  const all = Object.values(facts.state.slots);
  const slots = all.filter((slot) => slot.run === facts.run);
  const active = slots.filter((slot) => OCCUPYING.has(slot.status));
  const effects: Effect[] = active.flatMap((slot) => advanceSlot(slot, facts));
  effects.push(...answerRequests(facts, active));
  const holding = all.filter((slot) => OCCUPYING.has(slot.status) || slot.status === "queued");
  const dispatching = decideDispatch(facts, { slots, active, holding });
  effects.push(...dispatching.effects);
  const idle = active.length === 0 && effects.length === 0;
  return { ...dispatching, effects, end: idle ? endOf(facts, dispatching) : null };
}

function answerRequests({ state }: TickFacts, active: readonly Slot[]): Effect[] {
  return state.requests.flatMap(({ id, actor, request }): Effect[] => {
    if (request.verb === "nudge") {
      const slot = active.find(({ bead }) => bead === request.bead);
      if (slot?.status === "running")
        return [{ kind: "nudge", request: id, bead: request.bead, text: request.text }];
      return slot ? [] : [{ kind: "consume", request: id, note: `${request.bead} has no agent to nudge` }];
    }
    if (request.verb !== "stop") return [];
    const meant = active.filter(({ bead }) => request.bead === null || bead === request.bead);
    const events = meant
      .filter(({ stopping }) => stopping === null || (request.force && !stopping.force))
      .map(
        (slot): NewEvent => ({
          type: "slot.stopping",
          bead: slot.bead,
          run: slot.run,
          data: { attempt: slot.attempt, why: `asked for by ${actor}`, force: request.force },
        }),
      );
    // The intent is on record before the request goes, so that a crash between them repeats it harmlessly.
    if (events.length > 0) return [{ kind: "append", events }];
    return [{ kind: "consume", request: id, note: meant.length > 0 ? "stopping" : "nothing to stop" }];
  });
}

interface Dispatching extends Omit<Tick, "end"> {
  /** Why nothing more is dispatched although there may be work. */
  readonly held: "drain" | "interrupted" | "budget" | "once" | "stagger" | null;
  readonly waiting: number;
}

interface SlotLists {
  /** This run's slots, and those of them that have an agent or are about to. */
  readonly slots: readonly Slot[];
  readonly active: readonly Slot[];
  /** Slots of any run whose tokens are taken: what a dead run left may still have agents at work. */
  readonly holding: readonly Slot[];
}

function decideDispatch(facts: TickFacts, { slots, active, holding }: SlotLists): Dispatching {
  const { state, now, config, options, memory } = facts;
  const queued = slots.filter((slot) => slot.status === "queued");
  const none: Dispatching = {
    effects: [],
    memory,
    wakeAt: null,
    deferred: [],
    skipped: [],
    held: null,
    waiting: queued.length,
  };
  if (facts.interrupted) return { ...none, held: "interrupted" };
  if (state.requests.some(({ request }) => request.verb === "drain")) return { ...none, held: "drain" };

  if (active.length >= widthOf(facts)) return { ...none, memory: { ...memory, filling: false } };
  const startAt =
    memory.lastDispatchAt === null ? now : memory.lastDispatchAt + config.dispatch_stagger_seconds * 1000;
  if (startAt > now) return { ...none, wakeAt: startAt, held: "stagger" };

  const again = queued
    .filter((slot) => slot.notBefore <= now || slot.notBefore > now + LONGEST_WAIT_MS)
    .sort((a, b) => a.notBefore - b.notBefore || (a.bead < b.bead ? -1 : 1))
    .find((slot) => fitsBeside(slot, holding, config));
  if (again) {
    if (overBudget(facts, slots, again.estimateUsd)) return { ...none, held: "budget" };
    const next = again.attempt < MOST_ATTEMPTS ? redispatch(again) : tooOften(again);
    const effects: Effect[] = [{ kind: "append", events: [next] }];
    return { ...none, effects, memory: dispatchedAt(memory, now) };
  }
  const later = queued.map((slot) => slot.notBefore).filter((at) => at > now && at <= now + LONGEST_WAIT_MS);
  const nextDue = later.length > 0 ? Math.min(...later) : null;
  const allEnded = active.length + queued.length === 0;
  if (options.once && !memory.filling) return { ...none, wakeAt: nextDue, held: allEnded ? "once" : null };
  const waves = options.once || options.mode === "wave";
  if (facts.work === null || (waves && !memory.filling && !allEnded)) return { ...none, wakeAt: nextDue };

  const plan = planDispatch({
    config: { ...config, max_concurrent_slots: widthOf(facts) },
    beads: facts.work.all,
    frontier: facts.work.ready,
    defaultModel: options.defaultModel,
    inFlight: holding.map(({ bead, footprint, resources }) => ({ id: bead, footprint, resources })),
    occupied: active.length,
    settled: settledElsewhere(facts),
    deferrals: memory.deferrals,
  });
  const seen = { deferred: plan.deferred, skipped: plan.skipped, wakeAt: nextDue };
  const [first, second] = plan.dispatch;
  if (!first) return { ...none, ...seen, memory: { ...memory, filling: false } };
  if (overBudget(facts, slots, estimateOf(first))) return { ...none, ...seen, held: "budget" };
  // One at a time: the next tick sees what this one did, and the stagger falls out by itself.
  return {
    ...none,
    ...seen,
    effects: [{ kind: "append", events: [dispatchEvent(first, facts)] }, ...injected(first, facts)],
    // Being passed over counts, being looked at does not: deferrals are kept only when something was dispatched.
    memory: {
      ...dispatchedAt({ ...memory, deferrals: plan.deferrals }, now),
      filling: second !== undefined,
    },
  };
}

function dispatchedAt(memory: TickMemory, now: number): TickMemory {
  return { ...memory, lastDispatchAt: now, dispatched: memory.dispatched + 1 };
}

/** A queued slot keeps its tokens from new beads; one that came back from being blocked has to wait like they do. */
function fitsBeside(slot: Slot, holding: readonly Slot[], { resources }: TickFacts["config"]): boolean {
  const others = holding.filter(({ status }) => OCCUPYING.has(status));
  if (others.some((other) => conflicts(slot.footprint, other.footprint))) return false;
  const holders = new ResourceHolders(capacitiesOf(resources));
  for (const other of others) holders.take(other.bead, other.resources);
  return holders.full(slot.resources) === null;
}

/** A request to inject the bead is answered by its dispatch. */
function injected({ bead }: Dispatch, { state }: TickFacts): Effect[] {
  return state.requests
    .filter(({ request }) => request.verb === "inject" && request.bead === bead.id)
    .map(({ id }) => ({ kind: "consume", request: id, note: "dispatched" }));
}

function widthOf({ state, config, options }: TickFacts): number {
  if (state.resize?.force) return state.resize.max;
  return Math.min(
    state.resize?.max ?? options.max ?? config.max_concurrent_slots,
    config.max_concurrent_slots,
  );
}

/** Beads that are ready in the work source although the ledger knows better. */
function settledElsewhere({ state, run }: TickFacts): ReadonlyMap<string, Refusal> {
  const settled = new Map<string, Refusal>();
  for (const slot of Object.values(state.slots)) {
    if (slot.status === "blocked") settled.set(slot.bead, heldBack.blocked(slot.bead));
    else if (slot.status === "merge-pending") settled.set(slot.bead, heldBack.mergePending());
    else if (slot.run !== run) settled.set(slot.bead, heldBack.alreadyActive());
  }
  return settled;
}

function overBudget({ options }: TickFacts, slots: readonly Slot[], nextUsd: number): boolean {
  if (options.budgetUsd === undefined) return false;
  const settled = slots.reduce((sum, slot) => sum + slot.costUsd, 0);
  const running = slots
    .filter((slot) => OCCUPYING.has(slot.status))
    .reduce((sum, slot) => sum + slot.estimateUsd, 0);
  return settled + running + nextUsd > options.budgetUsd;
}

function estimateOf({ model, bead }: Dispatch): number {
  return estimateCostUsd(model, bead.description);
}

function dispatchEvent(item: Dispatch, { run, config }: TickFacts): NewEvent {
  return {
    type: "slot.dispatching",
    bead: item.bead.id,
    run,
    data: {
      attempt: 1,
      title: item.bead.title,
      footprint: { reads: [...item.footprint.reads], writes: [...item.footprint.writes] },
      resources: [...item.resources],
      runtime:
        item.bead.labels.find((label) => label.startsWith("runtime:"))?.slice("runtime:".length) ??
        config.default_runtime,
      model: item.model,
      model_why: item.modelWhy,
      merge_policy: item.mergePolicy,
      risk_tier: item.riskTier,
      timeout_seconds: item.timeoutSeconds,
      estimate_usd: estimateOf(item),
      start: "fresh",
      session: null,
    },
  };
}

function tooOften({ bead, run, attempt }: Slot): NewEvent {
  return {
    type: "slot.blocked",
    bead,
    run,
    data: { reason: `${attempt} attempts are more than anybody meant` },
  };
}

/** The next attempt of a queued slot. Model and footprint stay as they were: they were decided at dispatch. */
function redispatch(slot: Slot): NewEvent {
  return {
    type: "slot.dispatching",
    bead: slot.bead,
    run: slot.run,
    data: {
      attempt: slot.attempt + 1,
      title: slot.title,
      footprint: { reads: [...slot.footprint.reads], writes: [...slot.footprint.writes] },
      resources: [...slot.resources],
      runtime: slot.runtime,
      model: slot.model,
      model_why: slot.modelWhy,
      merge_policy: slot.mergePolicy,
      risk_tier: slot.riskTier,
      timeout_seconds: slot.timeoutSeconds,
      estimate_usd: slot.estimateUsd,
      start: slot.start,
      session: slot.start === "resume" ? slot.session : null,
    },
  };
}

function endOf({ work, state }: TickFacts, { held, waiting, deferred }: Dispatching): Tick["end"] {
  switch (held) {
    case "interrupted":
      return { reason: "interrupted", code: 0 };
    case "drain":
      return { reason: "operator-drain", code: 4 };
    case "budget":
      return { reason: "budget-cap", code: 0 };
    case "once":
      return { reason: "", code: 0 };
    // Nobody has looked for work yet.
    case "stagger":
      return null;
    case null: {
      if (waiting > 0 || work === null) return null;
      // Nudges and stops still on the ledger are answered first.
      if (state.requests.some(({ request }) => request.verb !== "inject")) return null;
      return deferred.length > 0
        ? { reason: "no dispatchable work (all ready items deferred)", code: 0 }
        : { reason: "drained", code: 4 };
    }
  }
}
