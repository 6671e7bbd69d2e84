import type { CarriedApproval } from "./pull/carry-approval.js";

/** The landing queue as the ledger shows it. */
export interface LandingQueue<Landing extends QueuedLanding = QueuedLanding> {
  /** Oldest first. */
  readonly landings: readonly Landing[];
  /** A person's word that a bead is to wait, by bead. */
  readonly holds: Readonly<Record<string, object>>;
  readonly slots: Readonly<Record<string, { readonly status: string; readonly landed: string | null }>>;
}

interface QueuedLanding {
  readonly id: string;
  readonly bead: string;
  readonly branch: string;
  readonly kind: "work" | "open-pull" | "land-pull";
}

/** The landing is over, by us or by somebody else. */
export type LandingEnd =
  | {
      readonly kind: "landed";
      readonly head: string;
      /** Its receipt's commit, where we wrote it or found it. */
      readonly receipt?: string | undefined;
      /** The approval that it landed by, where that was given for an older head. */
      readonly carried?: CarriedApproval | undefined;
    }
  | { readonly kind: "gone" };

/** How a request stands: whether it may still land is asked first, and again by every claim. */
export type Standing =
  | { readonly kind: "open" }
  /** It keeps its place in the queue until the hold is lifted. */
  | { readonly kind: "held" }
  | LandingEnd;

export function standingOf(queue: LandingQueue, { id, bead }: Pick<QueuedLanding, "id" | "bead">): Standing {
  if (queue.landings.some((landing) => landing.id === id))
    return isHeld(queue, bead) ? { kind: "held" } : { kind: "open" };
  return endOf(queue, bead);
}

/** What became of a bead whose request is not in the queue any more. */
export function endOf({ slots }: Pick<LandingQueue, "slots">, bead: string): LandingEnd {
  const slot = slots[bead];
  return slot?.status === "merged" && slot.landed !== null
    ? { kind: "landed", head: slot.landed }
    : { kind: "gone" };
}

/**
 * Whose turn it is, one for each branch. A landing that is held lets those behind it pass. Work and pull requests stand
 * in lines of their own: a pull request may wait for hours for its checks.
 */
export function firstInLine<Landing extends QueuedLanding>(
  queue: LandingQueue<Landing>,
  line: "work" | "pulls" = "work",
): Landing[] {
  const free = queue.landings.filter(
    ({ bead, kind }) => (kind === "land-pull") === (line === "pulls") && !isHeld(queue, bead),
  );
  return [...new Map(free.toReversed().map((landing) => [landing.branch, landing])).values()];
}

function isHeld({ holds }: LandingQueue, bead: string): boolean {
  return holds[bead] !== undefined;
}
