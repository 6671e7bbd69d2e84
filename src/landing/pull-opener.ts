import type { LandOutcome } from "../core/land/land-outcome.js";
import type { LandRefusal } from "../core/land/refusal.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";

/** The last step of work that becomes a pull request, in place of the push to the default branch. */
export interface PullOpener {
  /** What keeps a pull request from being opened; null when nothing does. Asked before anything is spent on it. */
  missing(): Promise<LandRefusal | null>;
  /** May be repeated: what an earlier try did is found again. */
  open(
    landing: Landing,
    commits: readonly { readonly subject: string }[],
  ): Promise<Exclude<LandOutcome, { kind: "stopped" }>>;
}
