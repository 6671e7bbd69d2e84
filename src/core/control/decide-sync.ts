import { PULL_CLOSED } from "../run/ledger/fold/fold-pull.js";
import type { LedgerState } from "../run/ledger/ledger-state.js";
import type { Slot } from "../run/ledger/slot.js";

/** A pull request whose fate the ledger follows, as the ledger has it. */
export interface FollowedPull {
  readonly pull: number;
  /** Null for one that carries no bead's work. */
  readonly bead: string | null;
  readonly url: string | null;
  readonly known: "open" | "closed";
  /** The branch that its work is meant for; null where nobody said. */
  readonly branch: string | null;
}

/** The same as GitHub shows it. */
export interface ShownPull {
  readonly state: "open" | "closed";
  readonly base: string;
  /** GitHub counts it as merged; `landed` is the commit of the base that has its work, null where it cannot be told. */
  readonly merged: { readonly landed: string | null } | null;
}

/** What GitHub shows and the ledger does not know. */
export type PullFate =
  | { readonly kind: "merged"; readonly head: string }
  | { readonly kind: "closed" }
  /** Merged, and not where the work was meant for. */
  | { readonly kind: "elsewhere"; readonly base: string }
  | { readonly kind: "reopened" }
  | { readonly kind: "none" }
  /** There is no such pull request, or GitHub does not say which commit brought it in: nothing is changed. */
  | { readonly kind: "unknown" };

/**
 * Pull requests that may have changed on GitHub, of whichever run: those that carry a bead's work, and those that
 * somebody approved, had analysed or asked to land.
 */
export function followedPulls({ slots, pulls, landings }: LedgerState): FollowedPull[] {
  const own = Object.values(slots).flatMap((slot) => followedOf(slot) ?? []);
  const carried = new Set(own.map(({ pull }) => pull));
  const numbers = [
    ...Object.values(pulls).map(({ number }) => number),
    ...landings.flatMap(({ pull }) => pull ?? []),
  ];
  const others = [...new Set(numbers)].filter((pull) => !carried.has(pull));
  return [
    ...own,
    ...others.map((pull) => ({ pull, bead: null, url: null, known: "open", branch: null }) as const),
  ].sort((a, b) => a.pull - b.pull);
}

function followedOf({ bead, status, noteCode, pull, candidate }: Slot): FollowedPull | null {
  if (pull === null) return null;
  const isClosed = status === "blocked" && noteCode === PULL_CLOSED;
  if (!isClosed && status !== "pr-opened" && status !== "landing") return null;
  const known = isClosed ? "closed" : "open";
  return { pull: pull.number, bead, url: pull.url, known, branch: candidate?.branch ?? null };
}

/** What became of a pull request since the ledger last heard of it. `shown` is null when there is none of that number. */
export function decideSync({ known, branch }: FollowedPull, shown: ShownPull | null): PullFate {
  if (shown === null) return { kind: "unknown" };
  const { state, merged, base } = shown;
  if (merged !== null) {
    if (branch !== null && base !== branch)
      return known === "closed" ? { kind: "none" } : { kind: "elsewhere", base };
    return merged.landed === null ? { kind: "unknown" } : { kind: "merged", head: merged.landed };
  }
  if (state === known) return { kind: "none" };
  return { kind: state === "open" ? "reopened" : "closed" };
}
