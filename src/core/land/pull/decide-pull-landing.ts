import type { ArrivedMove } from "../decide-landing.js";
import type { LandingEnd } from "../landing-queue.js";
import type { PullLandFacts } from "./pull-land-facts.js";
import { isWaitedFor, menderOf, type PullRefusal } from "./pull-refusal.js";
import { unmetForLanding } from "./unmet-for-landing.js";

export type PullLandStep =
  | LandingEnd
  /** A person wants it to wait. */
  | { readonly kind: "held" }
  /** It has landed, and the ledger does not know. */
  | { readonly kind: "record"; readonly move: ArrivedMove }
  | { readonly kind: "refuse"; readonly refusal: PullRefusal; readonly unmet: readonly PullRefusal[] }
  /** It keeps its place: others are at work on what is missing. */
  | { readonly kind: "wait"; readonly unmet: readonly PullRefusal[] }
  /** Its branch is replayed on the base as it is now. */
  | { readonly kind: "rebase" }
  /** What was replayed and recorded is not on its branch yet. */
  | { readonly kind: "push-branch"; readonly from: string; readonly to: string }
  | { readonly kind: "land"; readonly head: string };

/**
 * The next step of a pull request's landing. It is asked again after each one, so that whatever lands has met every
 * condition in its last form. Nothing is waited for that would be refused in the end.
 */
export function decidePullLanding(facts: PullLandFacts): PullLandStep {
  const { standing, arrived, tip, landing } = facts;
  if (standing.kind !== "open") return standing;
  if (arrived !== null) return { kind: "record", move: arrived };
  const unmet = unmetForLanding(facts);
  const refusal = unmet.find((each) => !isForKoryph(each) && !isWaitedFor(each, facts.waitedMs));
  if (refusal !== undefined) return { kind: "refuse", refusal, unmet };
  if (tip !== landing.head) return { kind: "push-branch", from: tip, to: landing.head };
  if (unmet.some((each) => !isForKoryph(each))) return { kind: "wait", unmet };
  return facts.base.contained ? { kind: "land", head: landing.head } : { kind: "rebase" };
}

function isForKoryph(unmet: PullRefusal): boolean {
  return menderOf(unmet) === "koryph";
}
