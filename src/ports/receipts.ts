import type { LandingClaims } from "../core/receipts/landing-claims.js";
import type { LandedWork } from "../core/receipts/statement.js";

/** Where the chain of receipts is about to be moved. */
export interface ReceiptMove {
  readonly ref: string;
  /** What it must be at; null where there is no chain yet. */
  readonly from: string | null;
  /** The new receipt. */
  readonly to: string;
}

/** The chain of receipts that a repository keeps of its landings. A tip is what the remote was last seen to have. */
export interface Receipts {
  /** Names commands without repeating them. */
  digest(commands: readonly string[]): string;
  /** The receipt of this landing of this head, in the chain up to `tip`; null when it has none. */
  find(tip: string | null, landed: Pick<LandedWork, "landing" | "head">): Promise<string | null>;
  /**
   * Writes a receipt on top of `tip`, signed where there is a key. Nobody sees it until the ref is moved to it. Throws a
   * `UserError` when it cannot be signed.
   */
  write(
    facts: LandedWork & LandingClaims,
    place: { readonly tip: string | null; readonly recovered: boolean },
  ): Promise<ReceiptMove>;
  /** Moves the ref alone; false when it is somewhere else by now. */
  push(move: ReceiptMove): Promise<boolean>;
  /** Notes that the remote has the chain up to here, for whoever looks without asking it. */
  seen(tip: string): Promise<void>;
}
