import { offlineLine, unsharedLine } from "../../core/replies/ledger/ledger.js";
import { LedgerError } from "../../core/run/ledger/ledger-error.js";
import type { Ledger, LedgerView } from "../../ports/ledger.js";

/**
 * What the ledger shows: this machine's copy where its remote does not answer. The engine here goes on without the
 * remote as well, and an operator must be able to see and to stop it.
 */
export async function readLedger(ledger: Ledger, warn: (line: string) => void): Promise<LedgerView> {
  try {
    return await ledger.refresh();
  } catch (error) {
    if (!isOffline(error)) throw error;
    warn(offlineLine(error.message));
    return ledger.observe([]);
  }
}

/** Shares what was just recorded; where the remote does not answer, that is left to whoever reaches it next. */
export async function shareLedger(ledger: Ledger, warn: (line: string) => void): Promise<void> {
  try {
    await ledger.share("now");
  } catch (error) {
    if (!isOffline(error)) throw error;
    warn(unsharedLine());
  }
}

function isOffline(error: unknown): error is LedgerError {
  return error instanceof LedgerError && error.kind === "unreachable";
}
