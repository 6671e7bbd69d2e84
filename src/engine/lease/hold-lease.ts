import { leaseAdvice } from "../../core/replies/run/run.js";
import type { NewEvent } from "../../core/run/ledger/ledger-event.js";
import type { Lease } from "../../core/run/ledger/ledger-state.js";
import { UserError } from "../../lib/user-error.js";
import type { Ledger, LedgerView } from "../../ports/ledger.js";

/** Several tries: between our look and our claim anybody may append a control request. */
const CLAIM_TRIES = 8;

export interface LeaseFacts {
  readonly holder: string;
  readonly host: string;
  readonly leaseSeconds: number;
  readonly graceSeconds?: number | undefined;
  /** True when the holder is known to be dead without waiting: its process was on this machine. */
  readonly isDead: (lease: Lease) => boolean;
}

/** What an agent's wrapper may take to notice that its engine is gone, and to end it. */
const GRACE_SECONDS = 30;

/**
 * An agent's wrapper counts the lease from its own start. That may be as late after the renewal we saw as the next
 * one would have been, which is a third of the lease.
 */
const LATEST_LAUNCH = 4 / 3;

/**
 * An observer's patience with somebody else's lease, on the observer's own steady clock: a wall clock that is put
 * forward would find every lease dead, and one that is put back would wait for days.
 */
export class LeaseWatch {
  #seen: { readonly id: string; readonly at: number } | null = null;

  /** Milliseconds until the lease counts as dead if nothing more is heard; 0 when it does. */
  remaining(lease: Lease, now: number, graceSeconds = GRACE_SECONDS): number {
    if (this.#seen?.id !== lease.seenAs) this.#seen = { id: lease.seenAs, at: now };
    return Math.max(0, this.#seen.at + (lease.ttlSeconds * LATEST_LAUNCH + graceSeconds) * 1000 - now);
  }
}

/** Somebody else may dispatch by now: nothing more may be written, and our agents have to end. */
export class LeaseLost extends UserError {
  constructor(holder: string) {
    const { message, hint } = leaseAdvice.lost(holder);
    super(message, hint);
  }
}

/** Whether the lease is free for us now; else how long to wait for it. */
export function leaseWait(view: LedgerView, watch: LeaseWatch, facts: LeaseFacts, now: number): number {
  const { lease } = view.state;
  if (lease === null || lease.holder === facts.holder || facts.isDead(lease)) return 0;
  return watch.remaining(lease, now, facts.graceSeconds);
}

/**
 * Takes the lease together with the events that begin the run. Null when somebody else has it, or got it
 * between our look and our claim: look again.
 */
export async function claimLease(
  ledger: Ledger,
  facts: LeaseFacts,
  begin: (view: LedgerView) => readonly NewEvent[],
  isFree: (view: LedgerView) => boolean,
): Promise<LedgerView | null> {
  let view = await ledger.refresh();
  for (let attempt = 0; attempt < CLAIM_TRIES; attempt += 1) {
    if (view.state.readOnly) throw UserError.of(leaseAdvice.readOnly(view.state.readOnly));
    if (!isFree(view)) return null;
    const lease: NewEvent = {
      type: "lease.claimed",
      data: { holder: facts.holder, host: facts.host, ttl_seconds: facts.leaseSeconds },
    };
    const result = await ledger.claim([lease, ...begin(view)], view);
    if (result.kind === "won") return result.view;
    view = result.view;
  }
  return null;
}

/** Shows that we live. False when the lease is somebody else's by now. */
export async function renewLease(ledger: Ledger, holder: string): Promise<boolean> {
  let view = await ledger.refresh();
  for (let attempt = 0; attempt < CLAIM_TRIES; attempt += 1) {
    if (view.state.lease?.holder !== holder) return false;
    const result = await ledger.claim([{ type: "lease.renewed", data: { holder } }], view);
    if (result.kind === "won") return true;
    view = result.view;
  }
  return false;
}
