import { backoff } from "../../../lib/backoff.js";
import type { OutcomeKind } from "../../model/agent-end.js";
import { PAUSE_KINDS, type PauseKind } from "../../model/pause-kind.js";
import type { DispatchRefusal } from "../../schedule/dispatch-refusal.js";
import type { DecidedEvent } from "../ledger/decided-event.js";
import type { LedgerState } from "../ledger/ledger-state.js";
import { pausesOf, type RunsOn, type RuntimePause } from "../ledger/runtime-pause.js";
import type { Slot } from "../ledger/slot.js";
import { hasAgent } from "../ledger/slot-groups.js";
import { pausedRefusal } from "../plan/probe-first.js";
import type { AttemptEnd } from "./conclude-attempt.js";
import { isLater, LONGEST_WAIT_MS } from "./is-later.js";

/** How long a pause lasts at first and at most, in seconds; null for one that needs a person. */
const WAITS: Readonly<Record<PauseKind, { readonly first: number; readonly longest: number } | null>> = {
  limited: { first: 15, longest: 900 },
  // Nobody tells when a provider is back, and asking costs little.
  unavailable: { first: 15, longest: 300 },
  auth: null,
  billing: null,
  "unknown-model": null,
  "start-failed": null,
};

/** Ends of agents that a provider has answered, whatever became of the work. */
export const ANSWERED: ReadonlySet<OutcomeKind> = new Set([
  "completed",
  "failed",
  "refused",
  "budget",
  "max-turns",
]);

export function isPauseKind(kind: OutcomeKind): kind is PauseKind {
  return PAUSE_KINDS.some((each) => each === kind);
}

/** What the slot's agent runs on, or its next one. */
export function runsOn({ runtime, model, task, asides }: Slot): RunsOn {
  return { runtime, model: asides.find((stage) => stage.task === task)?.model ?? model };
}

interface PauseFacts {
  readonly slot: Slot;
  readonly end: Pick<AttemptEnd, "retryAt" | "retryAfterMs">;
  readonly kind: PauseKind;
  readonly pauses: readonly RuntimePause[];
  readonly now: number;
  /** `KORYPH_BACKOFF_SEC`. */
  readonly backoffSeconds?: number | undefined;
}

/** Until when nothing is started on the runtime of an agent that met a fault of it, and for the how manieth time. */
export function pauseAfter({ slot, end, kind, pauses, now, backoffSeconds }: PauseFacts) {
  const { runtime, model } = runsOn(slot);
  const of = { runtime, model: kind === "unknown-model" ? model : null };
  const before = pauses.find((pause) => pause.runtime === runtime && pause.model === of.model);
  const times = before === undefined ? 1 : before.times + (before.probe === slot.bead ? 1 : 0);
  const wait = WAITS[kind];
  if (wait === null) return { ...of, kind, times, until: null };
  const ownWish = backoff({ ...wait, first: backoffSeconds ?? wait.first }, times - 1) * 1000;
  const { retryAt, retryAfterMs } = end;
  const told = retryAt !== null && retryAt <= now + LONGEST_WAIT_MS ? retryAt : 0;
  const until = Math.max(told, now + Math.max(ownWish, Math.min(retryAfterMs ?? 0, LONGEST_WAIT_MS)));
  return { ...of, kind, times, until };
}

/** The events by which a runtime goes on whose provider was seen to answer the slot's agent. */
export function resumeEvents({ bead, run }: Slot, pauses: readonly RuntimePause[]): DecidedEvent[] {
  return pauses
    .filter(({ probe }) => probe === bead)
    .map(({ runtime, model }) => ({ type: "runtime.resumed", bead, run, data: { runtime, model } }));
}

/** The same for an agent that has ended. */
export function resumeAfter(slot: Slot, kind: OutcomeKind, pauses: readonly RuntimePause[]): DecidedEvent[] {
  return ANSWERED.has(kind) ? resumeEvents(slot, pauses) : [];
}

/**
 * What keeps an agent from being started: null when nothing does, so that one may be, and tries whether a pause is over
 * where there is one. A time of null passes with a new run only.
 */
export interface KeptBack {
  readonly pause: RuntimePause;
  /** Another bead's agent tries just now. */
  readonly probing: boolean;
}

export function keptBack(
  { pauses, slots }: Pick<LedgerState, "pauses" | "slots">,
  agent: RunsOn,
  now: number,
): KeptBack | null {
  const met = pausesOf(pauses, agent);
  // What needs a person comes first: waiting for the others would not help.
  const pause = met.find(({ until }) => until === null) ?? met.find((each) => isWaiting(each, now));
  if (pause !== undefined) return { pause, probing: false };
  const probed = met.find(({ probe }) => probe !== null && hasAgent(slots[probe] ?? { status: "queued" }));
  return probed === undefined ? null : { pause: probed, probing: true };
}

/** The same as the reason not to dispatch a bead to it. */
export function keptBackRefusal(
  state: Pick<LedgerState, "pauses" | "slots">,
  agent: RunsOn,
  now: number,
): DispatchRefusal | null {
  const kept = keptBack(state, agent, now);
  return kept && pausedRefusal(kept.pause, kept.probing);
}

function isWaiting({ until, at }: RuntimePause, now: number): boolean {
  return until === null || isLater(until, at, now);
}
