import { ulidTime } from "../../lib/ulid.js";
import { isUnderWay, type LedgerState } from "../run/ledger/ledger-state.js";

/** Renewals travel through the remote, and clocks of different machines differ. */
const PATIENCE_MS = 5 * 60_000;

/**
 * When the engine of the run that is under way was last heard of, where that is too long ago for one that lives; null
 * where there is no run, or no reason to doubt. A killed engine leaves its run open until another goes on with it.
 */
export function silentSince(state: LedgerState, now: number): number | null {
  const { lease } = state;
  if (!isUnderWay(state) || lease === null) return null;
  const heard = ulidTime(lease.seenAs);
  return now - heard > lease.ttlSeconds * 1000 + PATIENCE_MS ? heard : null;
}
