import type { EventData } from "../event-data.js";
import type { LedgerEvent } from "../ledger-event.js";
import type { LedgerState } from "../ledger-state.js";
import { pausesOf, type RuntimePause } from "../runtime-pause.js";

/** Nobody has so many runtimes; whoever can push must not make everybody carry more. */
const MOST_KEPT = 50;

type PauseEvent = Extract<LedgerEvent, { type: `runtime.${string}` }>;

export function foldPause(state: LedgerState, event: PauseEvent): void {
  const { runtime, model } = event.data;
  const isThis = (pause: RuntimePause) => pause.runtime === runtime && pause.model === model;
  const before = state.pauses.find(isThis);
  const others = state.pauses.filter((pause) => !isThis(pause));
  state.pauses =
    event.type === "runtime.resumed" ? others : [...others, met(event.data, before, event)].slice(-MOST_KEPT);
}

/**
 * The agent that was sent to try has the last word. The others were started before it began: they may find that it
 * lasts longer, or is worse, and nothing else.
 */
function met(
  { runtime, model, kind, detail, until, times }: EventData<"runtime.paused">,
  before: RuntimePause | undefined,
  { at, bead }: PauseEvent,
): RuntimePause {
  const told = { runtime, model, kind, detail, at, until, times, probe: null };
  if (before === undefined || before.probe === bead) return told;
  if (before.until === null && until !== null) return before;
  return { ...told, until: until === null ? null : Math.max(before.until ?? 0, until), probe: before.probe };
}

/** An agent that is started while its runtime is paused tries for all whether it is over. */
export function foldProbe(
  state: LedgerState,
  bead: string,
  { runtime, model, task, asides }: EventData<"slot.dispatching">,
): void {
  const runsOn = { runtime, model: asides.find((stage) => stage.task === task)?.model ?? model };
  const met = pausesOf(state.pauses, runsOn);
  if (met.length > 0)
    state.pauses = state.pauses.map((pause) => (met.includes(pause) ? { ...pause, probe: bead } : pause));
}

/** Whoever starts a run may have mended what was wrong, or waits no longer: one agent of each runtime may try. */
export function foldNewRun(state: LedgerState): void {
  state.pauses = state.pauses.map((pause) => ({ ...pause, until: 0, probe: null }));
}
