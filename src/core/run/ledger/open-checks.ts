import type { LedgerEvent } from "./ledger-event.js";

/** A check run that shows a run, and that nobody has ended as far as is on record. */
export interface OpenCheck {
  readonly run: string;
  readonly check: number;
  readonly head: string;
}

/** Those among the events, oldest first. */
export function openChecks(events: readonly LedgerEvent[]): OpenCheck[] {
  const open = new Map<number, OpenCheck>();
  for (const { type, run, data } of events) {
    if (type !== "run.reported" || run === undefined) continue;
    if (data.open) open.set(data.check, { run, check: data.check, head: data.head });
    else open.delete(data.check);
  }
  return [...open.values()];
}
