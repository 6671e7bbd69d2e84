import type { CheckoutObstacle } from "./checkout-obstacle.js";
import { type BranchContent, judgeBranch } from "./judge-branch.js";
import type { LandingEnd, Standing } from "./landing-queue.js";
import type { LandRefusal } from "./refusal.js";

/** The commits that moved, or are about to move, the default branch. */
export interface ArrivedMove {
  readonly from: string;
  readonly head: string;
}

export interface LandFacts extends BranchContent {
  /** In the ledger as it is now: somebody may have held it, or brought it to its end. */
  readonly standing: Standing;
  /** What of it the default branch has already: our own push before a crash, or somebody's by hand. */
  readonly arrived: ArrivedMove | null;
  /** Its commits are on this machine. Where they are not, nothing is known about them. */
  readonly here: boolean;
  readonly branch: {
    /** The default branch when it was accepted, and now. */
    readonly asked: string;
    readonly found: string;
    /** Where the checkout itself is what lands: the other branch that is checked out in it. */
    readonly checkedOut?: string | undefined;
  };
  /** It becomes a pull request, and what keeps that from being opened: null when nothing does. */
  readonly pull: { readonly missing: LandRefusal | null } | null;
  /** Why the operator's checkout would not take it, where that is what lands; null when nothing is in the way. */
  readonly checkoutObstacle: CheckoutObstacle | null;
  /** The default branch is no longer where the candidate begins. */
  readonly baseMoved: boolean;
  /** How often it had moved before. */
  readonly moves: number;
  /** The gate was green on exactly this head. */
  readonly gated: boolean;
}

export type LandStep =
  | LandingEnd
  /** A person wants it to wait. */
  | { readonly kind: "held" }
  /** It has landed, and the ledger does not know. */
  | { readonly kind: "record"; readonly move: ArrivedMove }
  /** Its candidate has to be made again from the agents' commits. */
  | { readonly kind: "make" }
  | { readonly kind: "refuse"; readonly refusal: LandRefusal }
  /** It could not land now, through no fault of its own; nothing is spent on it before that is put right. */
  | { readonly kind: "refused-by-checkout"; readonly why: string }
  | { readonly kind: "rebase" }
  | { readonly kind: "squash" }
  | { readonly kind: "gate" }
  | { readonly kind: "land" }
  /** The same for what is to become a pull request: it goes to its branch, and people decide. */
  | { readonly kind: "open" };

/** After so many moves by others the branch is too busy to be caught. */
const MOST_MOVES = 3;

/**
 * The next step of a landing. It is asked again after each one, so that whatever is landed has passed every
 * check in its last form. Refusals are ordered so that the first one reported is the one to fix first.
 */
export function decideLanding(facts: LandFacts): LandStep {
  const { standing, arrived, branch, rules, commits } = facts;
  if (standing.kind !== "open") return standing;
  if (arrived !== null) return { kind: "record", move: arrived };
  if (!facts.here) return { kind: "make" };
  const { asked, found, checkedOut } = branch;
  if (found !== asked) return refuse({ kind: "other_branch", asked, found, checkedOut: false });
  if (checkedOut !== undefined)
    return refuse({ kind: "other_branch", asked, found: checkedOut, checkedOut: true });
  const refusal = facts.pull?.missing ?? judgeBranch(facts);
  if (refusal !== null) return refuse(refusal);
  if (facts.checkoutObstacle !== null) {
    const { why, ofThisWork } = facts.checkoutObstacle;
    // Waiting for it would keep all the others waiting, too.
    return ofThisWork ? refuse({ kind: "push_refused", why }) : { kind: "refused-by-checkout", why };
  }
  if (facts.baseMoved) {
    if (facts.moves >= MOST_MOVES) return refuse({ kind: "base_busy", moves: facts.moves + 1 });
    return { kind: "rebase" };
  }
  if (rules.method === "squash" && commits.length > 1) return { kind: "squash" };
  if (!facts.gated) return { kind: "gate" };
  return { kind: facts.pull === null ? "land" : "open" };
}

function refuse(refusal: LandRefusal): LandStep {
  return { kind: "refuse", refusal };
}
