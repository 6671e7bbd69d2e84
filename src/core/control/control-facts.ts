import type { LedgerState } from "../run/ledger/ledger-state.js";

export interface ControlFacts {
  readonly state: LedgerState;
  /** `max_concurrent_slots`. */
  readonly ceiling: number;
  readonly now: number;
  /** When it was asked for. */
  readonly asked: number;
  /** The run that whoever asked was looking at; absent where that is the one that is under way, if any. */
  readonly run?: string;
  /** The bead of the thread it was asked on; null where there is none. */
  readonly own: string | null;
  /** How the work source has the bead; `unasked` where nobody can ask it, or `beadToLookUp` names none. */
  readonly tracked: "open" | "closed" | "absent" | "unasked";
}
