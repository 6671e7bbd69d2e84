import { z } from "zod";
import { beadOfIssue } from "../model/bead.js";
import { KeptComment } from "../model/kept-comment.js";
import type { LedgerState } from "../run/ledger/ledger-state.js";

const Followed = z.object({
  /** When somebody last used koryph on the issue, or something new was last said there. */
  at: z.number(),
  /** Absent before the first one. */
  comment: KeptComment.optional(),
});
export type Followed = z.infer<typeof Followed>;

/** The issues of a repository on which somebody has used koryph, by their numbers. */
export const FollowedBeads = z.object({
  /** When this was last written down. */
  kept: z.number(),
  issues: z.record(z.string().regex(/^[1-9]\d*$/), Followed),
});
export type FollowedBeads = z.infer<typeof FollowedBeads>;

const DAY_MS = 24 * 60 * 60_000;
/** So long an issue is remembered whose bead no run has taken yet, and one whose bead has landed: it may be opened again. */
const QUIET_MS = 7 * DAY_MS;
/** The oldest go first: anybody can write on an issue. */
const MOST_FOLLOWED = 500;

/** Nothing is said on an issue of which the ledger knows nothing, unless that takes back what was said before. */
export function hasStanding(state: LedgerState, issue: number, { comment }: Followed): boolean {
  const bead = beadOfIssue(issue);
  return comment !== undefined || state.slots[bead] !== undefined || state.holds[bead] !== undefined;
}

/** Whether an issue may have something to be said on it later. */
function isFollowed(state: LedgerState, issue: number, { at }: Followed, now: number): boolean {
  const bead = beadOfIssue(issue);
  const status = state.slots[bead]?.status;
  const atRest = status === undefined ? state.holds[bead] === undefined : status === "merged";
  return !atRest || now - at < QUIET_MS;
}

/** Without the issues that need no look any more. */
export function stillFollowed(
  issues: FollowedBeads["issues"],
  state: LedgerState,
  now: number,
): FollowedBeads["issues"] {
  const kept = Object.entries(issues).filter(([issue, each]) => isFollowed(state, Number(issue), each, now));
  return Object.fromEntries(kept.sort(([, a], [, b]) => b.at - a.at).slice(0, MOST_FOLLOWED));
}

/** Whether it is to be written down: what the App remembers for a week is written down again before that. */
export function isDue(before: FollowedBeads, after: FollowedBeads): boolean {
  const names = Object.keys(after.issues);
  const same =
    names.length === Object.keys(before.issues).length &&
    names.every((name) => before.issues[name] === after.issues[name]);
  return !same || (names.length > 0 && after.kept - before.kept >= DAY_MS);
}
