import { isClosed } from "./bead.js";

/**
 * Gone means closed or never there; taken means that somebody else has it, or that it is not open; unreleased means that
 * agents may not work on its text as it is now.
 */
export type ClaimAnswer = "claimed" | "taken" | "gone" | "unreleased";

export interface Claimable {
  readonly status: string;
  /** Empty when nobody is assigned. */
  readonly assignee: string;
}

/** What a claim by `who` meets: `free` may be claimed, everything else is the answer. Null: no such bead. */
export function judgeClaim(bead: Claimable | null, who: string): ClaimAnswer | "free" {
  if (bead === null || isClosed(bead)) return "gone";
  if (bead.status === "open") return "free";
  return bead.status === "in_progress" && bead.assignee === who ? "claimed" : "taken";
}

/** The name under which koryph takes beads of a project. It is the project's, not the run's: runs come and go. */
export function claimant(projectId: string): string {
  return `koryph ${projectId}`;
}

/** Comments are found again by their key, so a key must survive any tracker's way of storing text. */
export function checkCommentKey(key: string): string {
  if (!/^[A-Za-z0-9._:/@-]{1,200}$/.test(key)) throw new Error(`not a comment key: ${key}`);
  return key;
}
