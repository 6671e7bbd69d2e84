import { accountAt } from "../../govern/account-pin.js";
import type { Bead } from "../../model/bead.js";
import { staggerSeconds } from "../../route/stagger.js";
import { conflicts } from "../../schedule/conflict.js";
import type { DispatchRefusal } from "../../schedule/dispatch-refusal.js";
import { ResourceHolders, resourcesOf } from "../../schedule/resources.js";
import type { Slot } from "../ledger/slot.js";
import { hasAgent } from "../ledger/slot-groups.js";
import { attemptEstimate } from "../plan/estimate-cost.js";
import { heldBeads } from "../plan/held-beads.js";
import { payingAccounts } from "../plan/paying-accounts.js";
import { capacitiesOf, type Dispatch, planDispatch } from "../plan/plan-dispatch.js";
import { paidAgent, quotaRefusal } from "../plan/quota-refusal.js";
import type { BeadRoute } from "../plan/route-bead.js";
import { askFirst, denialFor, nextPlace } from "./admission.js";
import { type BaseObstacle, baseObstacle } from "./base-gate.js";
import { dispatchEvent, redispatch } from "./dispatch-events.js";
import { isLater } from "./is-later.js";
import { nextModel } from "./next-model.js";
import { keptBack, keptBackRefusal, runsOn } from "./pause-runtime.js";
import type { Effect, Tick, TickFacts, TickMemory, Unaffordable } from "./tick-facts.js";

export interface Dispatching extends Omit<Tick, "end" | "staggered"> {
  /** Why nothing more is dispatched although there may be work. */
  readonly paused: "drain" | "interrupted" | "budget" | "once" | "stagger" | BaseObstacle["paused"] | null;
  /** Beads that go on by themselves, and those that a runtime keeps back which a person has to mend. */
  readonly waiting: number;
  readonly stuck: number;
  /** Beads that were begun and that the quota keeps back. */
  readonly overQuota: number;
  /** With `paused: "budget"`: the bead that did not fit. */
  readonly unaffordable?: Unaffordable | undefined;
}

export interface SlotLists {
  /** This run's slots, and those of them that take a place. */
  readonly slots: readonly Slot[];
  readonly active: readonly Slot[];
  /** Slots of any run whose tokens are taken: what a dead run left may still have agents at work. */
  readonly holding: readonly Slot[];
}

/** Which agent is started next, if any. One at a time: the next tick sees what this one did. */
export function decideDispatch(known: TickFacts, { slots, active, holding }: SlotLists): Dispatching {
  const facts: TickFacts = { ...known, accounts: payingAccounts(known) };
  const { state, now, config, options, memory, run } = facts;
  const queued = slots
    .filter(({ status, bead }) => status === "queued" && state.holds[bead] === undefined)
    .map((slot): Slot => ({ ...slot, ...nextModel(slot, { config, pauses: state.pauses }) }));
  const kept = new Map(queued.map((slot) => [slot.bead, keptBack(state, runsOn(slot), now)]));
  const stuck = queued.filter(({ bead }) => kept.get(bead)?.pause.until === null).length;
  // Queued slots go on with the account of now, whichever they had before.
  const accountOf = ({ runtime }: Pick<Slot, "runtime">) => accountAt(facts.accounts ?? {}, runtime);
  const atWork = slots.filter(hasAgent).map(paidAgent);
  const width = widthOf(facts);
  // Asked for every bead that is ready: where nobody has calibrated an account there is nothing to be put together.
  const quotaOf = (agent: Pick<Slot, "runtime" | "estimateUsd">, again: boolean) =>
    facts.quota === undefined
      ? null
      : quotaRefusal({ agent: { ...agent, account: accountOf(agent) }, again, width, atWork }, facts.quota);
  const short = new Set(queued.filter((slot) => quotaOf(paidAgent(slot), true) !== null));
  const overQuota = queued.filter(
    (slot) => short.has(slot) && kept.get(slot.bead)?.pause.until !== null,
  ).length;
  const none: Dispatching = {
    effects: [],
    memory,
    wakeAt: null,
    deferred: [],
    skipped: [],
    paused: null,
    waiting: queued.length - stuck - overQuota,
    stuck,
    overQuota,
  };
  if (facts.interrupted) return { ...none, paused: "interrupted" };
  if (isDraining(state)) return { ...none, paused: "drain" };

  if (active.length >= width) return { ...none, memory: { ...memory, filling: false } };
  const obstacle = baseObstacle(facts);
  const startAt = staggeredUntil(facts);
  const staggered: Dispatching = { ...none, wakeAt: startAt, paused: "stagger" };
  const again = queued
    .filter((slot) => isDue(slot, now) && kept.get(slot.bead) === null && !short.has(slot))
    .filter((slot) => denialFor(facts, nextPlace(facts, slot)) === null)
    .sort((a, b) => a.notBefore - b.notBefore || (a.bead < b.bead ? -1 : 1))
    .find((slot) => fitsBeside(slot, holding, config));
  if (again) {
    const unaffordable = beyondBudget(facts, slots, again.bead, attemptEstimate(again));
    if (unaffordable) return { ...none, paused: "budget", unaffordable };
    if (obstacle !== null) return { ...none, ...obstacle };
    if (startAt !== null) return staggered;
    const event = redispatch(again, facts);
    const granted = {
      effects: [{ kind: "append", events: [event] } as const],
      memory: dispatchedAt(memory, again.runtime, now),
    };
    // A bead that is given up needs no place.
    if (event.type !== "slot.dispatching") return { ...none, ...granted };
    return {
      ...none,
      ...askFirst(facts, nextPlace(facts, { ...again, attempt: again.attempt + 1 }), granted),
    };
  }
  const later = queued.filter((slot) => !isDue(slot, now)).map((slot) => slot.notBefore);
  const denied = (facts.denials ?? []).map(({ until }) => until);
  const nextDue = earliest([...later, ...denied, ...state.pauses.flatMap(({ until }) => until ?? [])], now);
  const allEnded =
    !holding.some((slot) => slot.run === run && !rests(slot, state)) && !slots.some(isSettling);
  if (options.once && !memory.filling) return { ...none, wakeAt: nextDue, paused: allEnded ? "once" : null };
  const waves = options.once || options.mode === "wave";
  if (facts.work === null || (waves && !memory.filling && !allEnded)) return { ...none, wakeAt: nextDue };

  const plan = planDispatch({
    config: { ...config, max_concurrent_slots: width },
    beads: facts.work.all,
    frontier: facts.work.ready,
    model: options.model,
    defaultModel: options.defaultModel,
    review: options.review || config.review.auto,
    direct: options.direct,
    noPulls: options.noPulls,
    unusable: options.unusable,
    spent: state.spent,
    inFlight: holding.map(({ bead, footprint, resources }) => ({ id: bead, footprint, resources })),
    occupied: active.length,
    settled: settledElsewhere(facts),
    keptBack: (agent, bead) =>
      keptBackRefusal(state, agent, now) ?? quotaOf(agent, false) ?? notAdmitted(facts, agent, bead),
    deferrals: memory.deferrals,
  });
  const seen = { deferred: plan.deferred, skipped: plan.skipped, wakeAt: nextDue };
  const [first, second] = plan.dispatch;
  // A wave that waits for a runtime, or for a place, is still to be filled.
  const waits = plan.deferred.some(({ refusal }) => passesByItself(refusal));
  if (!first) return { ...none, ...seen, memory: { ...memory, filling: memory.filling && waits } };
  const unaffordable = beyondBudget(facts, slots, first.bead.id, first.estimateUsd);
  if (unaffordable) return { ...none, ...seen, paused: "budget", unaffordable };
  if (obstacle !== null) return { ...none, ...seen, ...obstacle };
  if (startAt !== null) return staggered;
  const place = nextPlace(facts, { ...first, bead: first.bead.id, attempt: 1 });
  const granted = {
    effects: [
      { kind: "append", events: [dispatchEvent(first, run, facts)] } as const,
      ...injected(first, facts),
    ],
    // Being passed over counts, being looked at does not: deferrals are kept only when something was dispatched.
    memory: {
      ...dispatchedAt({ ...memory, deferrals: plan.deferrals }, first.runtime, now),
      filling: second !== undefined || waits,
    },
  };
  return { ...none, ...seen, ...askFirst(facts, place, granted) };
}

/** Whether the bead waits for something that comes without a person. */
export function passesByItself(refusal: DispatchRefusal): boolean {
  return refusal.code === "not_admitted" || (refusal.code === "runtime_paused" && refusal.passes);
}

function notAdmitted(facts: TickFacts, { runtime }: BeadRoute, bead: Bead): DispatchRefusal | null {
  if (!facts.denials?.length) return null;
  const agent = { bead: bead.id, attempt: 1, runtime, resources: resourcesOf(bead.labels) };
  const why = denialFor(facts, nextPlace(facts, agent));
  return why && { code: "not_admitted", why };
}

/** Somebody asked for nothing more to be begun. */
export function isDraining({ requests }: Pick<TickFacts["state"], "requests">): boolean {
  return requests.some(({ request }) => request.verb === "drain");
}

function isDue({ notBefore, at }: Slot, now: number): boolean {
  return !isLater(notBefore, at, now);
}

/** Of those that lie ahead; null when none does. */
function earliest(dates: readonly number[], now: number): number | null {
  const ahead = dates.filter((date) => date > now);
  return ahead.length > 0 ? Math.min(...ahead) : null;
}

function dispatchedAt(memory: TickMemory, runtime: string, now: number): TickMemory {
  return { ...memory, lastDispatchAt: now, lastRuntime: runtime };
}

/**
 * When the next agent may start, while several places are being filled; null when at once. A single place that
 * became free is refilled without a pause.
 */
function staggeredUntil({ memory, config, now }: TickFacts): number | null {
  const { lastDispatchAt: last, lastRuntime, filling } = memory;
  if (!filling || last === null) return null;
  const startAt = last + staggerSeconds(config, lastRuntime ?? config.default_runtime) * 1000;
  // A dispatch in the future means that the clock was set back since: nobody knows how long ago it was.
  return startAt > now && now >= last ? startAt : null;
}

/** Nothing happens to it before a person says so. */
function rests({ status, bead }: Slot, { holds }: TickFacts["state"]): boolean {
  return status === "queued" && holds[bead] !== undefined;
}

/** Its work is on the default branch; its bead is still to be closed and its clone to be tidied up. */
function isSettling({ status, settled }: Slot): boolean {
  return status === "merged" && !settled;
}

/** A queued slot keeps its tokens from new beads; one that came back from being blocked has to wait like they do. */
function fitsBeside(slot: Slot, holding: readonly Slot[], { resources }: TickFacts["config"]): boolean {
  const others = holding.filter((other) => other.status !== "queued" && other.bead !== slot.bead);
  if (others.some((other) => conflicts(slot.footprint, other.footprint))) return false;
  const holders = new ResourceHolders(capacitiesOf(resources));
  for (const other of others) holders.take(other.bead, other.resources);
  return holders.full(slot.resources) === null;
}

/** A request to inject the bead is answered by its dispatch. */
function injected({ bead }: Dispatch, { state }: TickFacts): Effect[] {
  return state.requests
    .filter(({ request }) => request.verb === "inject" && request.bead === bead.id)
    .map(({ id }) => ({ kind: "consume", request: id, answer: { code: "dispatched" } }));
}

/** How many agents may be at work now. */
export function widthOf({ state, config, options }: Pick<TickFacts, "state" | "config" | "options">): number {
  if (state.resize?.force) return state.resize.max;
  return Math.min(
    state.resize?.max ?? options.max ?? config.max_concurrent_slots,
    config.max_concurrent_slots,
  );
}

/** A `--max` that the project's own ceiling cuts short; undefined when there is none. */
export function clippedMax(
  { max }: Pick<TickFacts["options"], "max">,
  { max_concurrent_slots: ceiling }: Pick<TickFacts["config"], "max_concurrent_slots">,
): number | undefined {
  return max !== undefined && max > ceiling ? max : undefined;
}

/** Beads that are ready in the work source although the ledger knows better. */
function settledElsewhere({ state, run }: TickFacts): ReadonlyMap<string, DispatchRefusal> {
  const settled = new Map<string, DispatchRefusal>();
  for (const slot of Object.values(state.slots)) {
    const refusal = refusalOf(slot, run);
    if (refusal !== null) settled.set(slot.bead, refusal);
  }
  for (const [bead, refusal] of heldBeads(state)) if (!settled.has(bead)) settled.set(bead, refusal);
  return settled;
}

function refusalOf(slot: Slot, run: string): DispatchRefusal | null {
  switch (slot.status) {
    case "blocked":
      return { code: "blocked", bead: slot.bead };
    case "conflict":
      // The bead was given back: another run may begin it anew.
      return slot.run === run ? { code: "blocked", bead: slot.bead } : null;
    case "pr-opened":
    case "merge-pending":
      return { code: "merge_pending" };
    case "merged":
      // Somebody who opens the bead again wants it done again.
      return slot.settled ? null : { code: "merged" };
    case "queued":
    case "dispatching":
    case "running":
    case "ended":
    case "passed":
    case "landing":
    case "refused":
      // It holds its tokens, so whoever builds the wave knows.
      return null;
  }
}

/** Null when the bead fits what is left of the budget. */
function beyondBudget(
  { options }: TickFacts,
  slots: readonly Slot[],
  bead: string,
  estimateUsd: number,
): Unaffordable | null {
  if (options.budgetUsd === undefined) return null;
  const settled = slots.reduce((sum, slot) => sum + slot.costUsd, 0);
  const running = slots.filter(hasAgent).reduce((sum, slot) => sum + attemptEstimate(slot), 0);
  if (settled + running + estimateUsd <= options.budgetUsd) return null;
  return { bead, estimateUsd, leftUsd: Math.max(0, options.budgetUsd - settled - running) };
}
