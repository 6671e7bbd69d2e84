import type { LedgerEvent } from "./ledger-event.js";

/** A commit on which a run may have left check runs in progress. */
export interface OpenChecks {
  readonly run: string;
  readonly head: string;
  /** Those that are on record; one that was made just before its runner was lost is not. */
  readonly checks: readonly number[];
}

/** Where to look, as far as the events tell, oldest first. */
export function openChecks(events: readonly LedgerEvent[]): OpenChecks[] {
  const found = new Map<string, OpenChecks & { readonly intended: boolean }>();
  for (const { type, run, data } of events) {
    if ((type !== "run.reported" && type !== "run.reporting") || run === undefined) continue;
    const { head } = data;
    const key = `${run} ${head}`;
    const before = found.get(key) ?? { run, head, checks: [], intended: false };
    if (type === "run.reporting") {
      found.set(key, { ...before, intended: true });
      continue;
    }
    const others = before.checks.filter((check) => check !== data.check);
    found.set(key, { ...before, checks: data.open ? [...others, data.check] : others, intended: false });
  }
  return [...found.values()]
    .filter(({ checks, intended }) => intended || checks.length > 0)
    .map(({ run, head, checks }) => ({ run, head, checks }));
}
