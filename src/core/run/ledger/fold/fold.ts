import { copyState } from "../copy-state.js";
import type { EventData } from "../event-data.js";
import type { EventReading, LedgerEvent } from "../ledger-event.js";
import type { ControlRequest, LedgerState } from "../ledger-state.js";
import { withSteering } from "../steering.js";
import { foldApp } from "./fold-app.js";
import { foldJob } from "./fold-job.js";
import { foldLanding } from "./fold-landing.js";
import { foldNewRun, foldPause, foldProbe } from "./fold-pause.js";
import { foldPull } from "./fold-pull.js";
import { foldSlot, type SlotEvent } from "./fold-slot.js";
import { foldRunCost, foldSpending } from "./fold-spending.js";

/** Folds one line's reading into the state, in place. The caller leaves out ids it has folded before. */
export function fold(state: LedgerState, reading: EventReading): void {
  switch (reading.kind) {
    case "quarantined":
      state.quarantined += 1;
      return;
    case "unknown":
      state.events += 1;
      if (reading.critical && !state.readOnly) state.readOnly = { type: reading.type, needs: reading.needs };
      return;
    case "event":
      state.events += 1;
      foldEvent(state, reading.event);
  }
}

function foldEvent(state: LedgerState, event: LedgerEvent): void {
  // A machine that was cut off shares what it wrote long after somebody else took over from it. While a lease
  // is held its holder alone moves slots, so there an event that names no lease is nobody's.
  // Adopting comes with the claim of the lease itself, before anybody can know its name.
  const engines =
    (event.type.startsWith("slot.") && event.type !== "slot.adopted") ||
    event.type.startsWith("runtime.") ||
    event.type === "run.ended" ||
    event.type === "pull.requested" ||
    (event.type === "land.requested" && event.data.by === "engine");
  const unnamed = event.lease === undefined && (!engines || state.lease === null);
  if (!unnamed && event.lease !== state.lease?.id) return;
  switch (event.type) {
    case "lease.claimed": {
      const { holder, host, ttl_seconds } = event.data;
      state.lease = { id: event.id, holder, host, ttlSeconds: ttl_seconds, seenAs: event.id };
      return;
    }
    case "lease.renewed":
      if (state.lease?.holder === event.data.holder) state.lease.seenAs = event.id;
      return;
    case "lease.released":
      if (state.lease?.holder === event.data.holder) state.lease = null;
      return;
    case "run.started":
      // A width that was asked for in an earlier run must not narrow this one unseen.
      if (!event.data.resumed) state.resize = null;
      foldNewRun(state);
      if (resumedSince(state.run, event) === null) state.runCosts = Object.create(null);
      state.run = {
        id: event.run ?? event.id,
        startedAt: resumedSince(state.run, event) ?? event.at,
        mode: event.data.mode,
        engineVersion: event.data.engine_version,
        budgetUsd: event.data.budget_usd,
        review: event.data.review,
        choices: event.data.choices ?? {},
        ended: null,
      };
      return;
    case "run.ended":
      if (state.run !== null && state.run.id === event.run) state.run.ended = { ...event.data, at: event.at };
      return;
    case "ledger.rolled":
      openChain(state, event.data);
      return;
    case "control.consumed":
      state.requests = state.requests.filter(({ id }) => id !== event.data.request);
      return;
    case "control.drain":
      ask(state, event, { verb: "drain" });
      state.steered = withSteering(state.steered, event, { kind: "drain" });
      return;
    case "control.resize":
      state.resize = event.data.max === null ? null : { max: event.data.max, force: event.data.force };
      state.steered = withSteering(state.steered, event, { kind: "width", max: event.data.max });
      return;
    case "control.stop":
      ask(state, event, { verb: "stop", bead: event.bead ?? null, force: event.data.force });
      return;
    case "control.nudge":
      if (event.bead) ask(state, event, { verb: "nudge", bead: event.bead, text: event.data.text });
      return;
    case "control.inject":
      if (event.bead) ask(state, event, { verb: "inject", bead: event.bead });
      return;
    case "hold.placed":
    case "hold.lifted":
      if (event.bead) foldHold(state, event.bead, event);
      return;
    case "runtime.paused":
    case "runtime.resumed":
      foldPause(state, event);
      return;
    case "land.requested":
    case "land.rebased":
    case "land.intended":
    case "land.landed":
    case "land.refused":
    case "land.settled":
    case "pull.requested":
    case "pull.landing":
      if (event.bead) foldLanding(state, event.bead, event);
      return;
    case "pull.pushing":
    case "pull.opened":
    case "pull.closed":
    case "pull.reopened":
    case "pull.merged":
    case "pull.approved":
    case "pull.unapproved":
    case "pull.analysed":
      foldPull(state, event);
      return;
    // Nothing that is decided depends on it.
    case "run.reporting":
    case "run.reported":
    case "control.refused":
      return;
    case "job.requested":
    case "job.claimed":
    case "job.done":
      foldJob(state, event);
      return;
    case "app.began":
    case "app.took":
    case "app.kept":
    case "app.answered":
      foldApp(state, event);
      return;
    default:
      if (!event.bead) return;
      if (event.type === "slot.dispatching") foldProbe(state, event.bead, event.data);
      foldSlotEvent(state, event.bead, event);
  }
}

/** When a run that goes on under its old id began; null for one that begins. */
function resumedSince(
  before: LedgerState["run"],
  { run, data }: Extract<LedgerEvent, { type: "run.started" }>,
): string | null {
  return data.resumed && before !== null && before.id === run ? before.startedAt : null;
}

function foldSlotEvent(state: LedgerState, bead: string, event: SlotEvent): void {
  const moved = foldSlot(state.slots, bead, event);
  const slot = state.slots[bead];
  if (!moved || !slot || event.type !== "slot.ended") return;
  foldSpending(state.spent, slot, event.data);
  if (slot.run === state.run?.id) foldRunCost(state.runCosts, slot, event.data);
}

function foldHold(
  state: LedgerState,
  bead: string,
  event: Extract<LedgerEvent, { type: `hold.${string}` }>,
): void {
  const before = state.holds[bead];
  if (event.type === "hold.placed") {
    // Held already, and whoever says so again without a reason has nothing to put in place of the one there is.
    if (before !== undefined && event.data.reason === "") return;
    const { id, at, actor, evidence = null } = event;
    state.holds[bead] = { id, at, actor, reason: event.data.reason, evidence };
    state.steered = withSteering(state.steered, event, { kind: "hold", bead });
  } else if (before !== undefined) {
    delete state.holds[bead];
    state.steered = withSteering(state.steered, event, { kind: "unhold", bead });
  }
}

/** A roll opens a chain and is nothing anywhere else: a pushed line must not replace what was folded. */
function openChain(state: LedgerState, { number, state: carried }: EventData<"ledger.rolled">): void {
  if (state.events + state.quarantined > 1) return;
  Object.assign(state, copyState(carried));
  state.events += 1;
  state.chain = { number, start: state.events + state.quarantined };
}

function ask(state: LedgerState, { id, at, actor }: LedgerEvent, request: ControlRequest["request"]): void {
  state.requests.push({ id, at, actor, request });
}
