import type { LedgerEvent, NewEvent } from "../core/run/ledger/ledger-event.js";
import type { LedgerState } from "../core/run/ledger/ledger-state.js";

export interface LedgerView {
  /** The commit this view was folded from; null while the ledger is empty. */
  readonly tip: string | null;
  readonly state: LedgerState;
}

export type ClaimResult =
  | { readonly kind: "won"; readonly view: LedgerView }
  /** Somebody else appended first, or moved a ref beside it. The view shows what: decide again. */
  | { readonly kind: "lost"; readonly view: LedgerView };

/** Refs that move together with a claim, or not at all. */
export interface BesideMoves {
  readonly refs: readonly {
    readonly ref: string;
    /** What it must be at, null where it must not be; it is never forced. */
    readonly from: string | null;
    readonly to: string;
  }[];
  /** The folder of a repository's objects that has the commits. */
  readonly objects: string;
}

export type LandingClaim =
  | ClaimResult
  /** The remote will have none of it: a rule or a hook of its own, or it cannot move several refs at once. */
  | { readonly kind: "refused"; readonly why: string; readonly view: LedgerView };

/** What was appended last. */
export interface LedgerTail {
  /** The events of the newest `most` commits, as the last look found them: in order, each once, unreadable ones left out. */
  recent(most: number): Promise<readonly LedgerEvent[]>;
}

/** The append-only record that engine, CLI and App share. */
export interface Ledger {
  /** Brings in what others appended. Cheap when nothing changed. Throws a `UserError` when the remote was rewound. */
  refresh(): Promise<LedgerView>;
  /** Records facts: durable here at once, shared with the next push, put after whatever others appended first. */
  observe(events: readonly NewEvent[]): Promise<LedgerView>;
  /** Takes a right (lease, control request, landing): shared at once, and only if nothing came after `view`. */
  claim(events: readonly NewEvent[], view: LedgerView): Promise<ClaimResult>;
  /** A claim and other refs in one write: all move, or none. */
  claimBeside(events: readonly NewEvent[], view: LedgerView, beside: BesideMoves): Promise<LandingClaim>;
  /** Starts a new chain that carries the folded state, and archives the old one; only if nothing came after `view`. */
  roll(view: LedgerView): Promise<ClaimResult>;
  /** Shares what is still local, as far as the push rate allows; `now` shares it whatever the rate. */
  share(when: "due" | "now"): Promise<void>;
  /** Shares what is still local and moves other refs, in one write. False when only ours could be shared. */
  shareBeside(beside: BesideMoves): Promise<boolean>;
}
