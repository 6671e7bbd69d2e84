import type { RunningCommand } from "../core/land/land-progress.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { hasAgent } from "../core/run/ledger/slot-groups.js";
import type { Engine } from "../engine/engine.js";

/** How long an interrupted run takes at most: to end in order, and for each of three steps after that. */
export interface InterruptTimes {
  readonly orderlyMs: number;
  readonly lastStepMs: number;
  /** For each signal to an agent. */
  readonly graceMs?: number;
}

export const INTERRUPT: InterruptTimes = { orderlyMs: 20_000, lastStepMs: 3_000 };

interface ListenFacts extends Pick<InterruptTimes, "orderlyMs"> {
  /** A second interrupt leaves these behind. */
  readonly leave: ((agents: readonly Slot[], running: RunningCommand | null) => void) | undefined;
  readonly running: () => RunningCommand | null;
}

/** The first interrupt ends the run in order, and in time; the second one at once. */
export function onInterrupts(
  engine: Engine,
  { leave, orderlyMs, running }: ListenFacts,
): { readonly overdue: Promise<void>; readonly stop: () => void } {
  let asked = false;
  let isLate = () => {};
  const overdue = new Promise<void>((resolve) => {
    isLate = resolve;
  });
  const onSignal = () => {
    if (asked) {
      leave?.(engine.slots.filter(hasAgent), running());
      process.exit(130);
    }
    asked = true;
    setTimeout(isLate, orderlyMs).unref();
    engine.interrupt();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  const stop = () => {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  };
  return { overdue, stop };
}
