import type { LedgerState } from "./ledger-state.js";

/** How long a chain may grow: a new reader fetches and folds at most this much. */
export const ROLL_EVERY = 20_000;

/** Lines in the current chain, those in quarantine included: they too are fetched and read. */
export function chainLength({ events, quarantined, chain }: LedgerState): number {
  return events + quarantined - chain.start;
}

export function rollDue(state: LedgerState): boolean {
  return chainLength(state) >= ROLL_EVERY;
}
