import type { StopSignal } from "../../runtimes/runtime-descriptor.js";

export interface StopFacts {
  /** What the runtime understands, gentlest first. */
  readonly stopSignals: readonly StopSignal[];
  readonly force: boolean;
  /** When the intent to stop was written down (ms). */
  readonly recordedAt: number;
  /** What this engine has sent so far. One that took over from another has sent nothing. */
  readonly sent: readonly { readonly signal: StopSignal; readonly at: number }[];
  /** How long each signal gets; some seconds unless told. */
  readonly graceMs?: number | undefined;
  readonly now: number;
}

export type StopStep =
  | { readonly kind: "send"; readonly signal: StopSignal }
  | { readonly kind: "wait"; readonly until: number };

const GRACE_MS = 5_000;
const FORCED_GRACE_MS = 2_000;
const FORCED: readonly StopSignal[] = ["SIGTERM", "SIGKILL"];

/** After this long a stop that has not worked is forced, so that engines dying one after the other reach its end. */
const OVERDUE_MS = 60_000;

/**
 * The next rung. The last one is repeated for as long as the process is there: one that sleeps in the kernel
 * takes its SIGKILL late.
 */
export function nextStop({ stopSignals, force, recordedAt, sent, now, ...given }: StopFacts): StopStep {
  const forced = force || now - recordedAt > OVERDUE_MS;
  const ladder = forced ? FORCED : endingInKill(stopSignals);
  const graceMs = given.graceMs ?? (forced ? FORCED_GRACE_MS : GRACE_MS);
  const rung = Math.max(-1, ...sent.map(({ signal }) => ladder.indexOf(signal)));
  if (rung === -1) return { kind: "send", signal: ladder[0] ?? "SIGKILL" };
  const last = Math.max(...sent.filter(({ signal }) => signal === ladder[rung]).map(({ at }) => at));
  // A clock that was set back would otherwise hold the ladder still.
  const waiting = now >= last && now < last + graceMs;
  if (waiting) return { kind: "wait", until: last + graceMs };
  return { kind: "send", signal: ladder[rung + 1] ?? "SIGKILL" };
}

function endingInKill(signals: readonly StopSignal[]): readonly StopSignal[] {
  return [...signals.filter((signal) => signal !== "SIGKILL"), "SIGKILL"];
}
