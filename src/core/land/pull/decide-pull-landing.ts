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
  /** Nothing else keeps it, as far as koryph can tell without running it. */
  | { readonly kind: "gate"; readonly head: string }
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
  const { standing, arrived, tip, landing, base } = facts;
  if (standing.kind !== "open") return standing;
  if (arrived !== null) return { kind: "record", move: arrived };
  const unmet = unmetForLanding(facts);
  const others = unmet.filter((each) => !isForKoryph(each, facts));
  const refusal = others.find((each) => !isWaitedFor(each, facts.waitedMs));
  if (refusal !== undefined) return { kind: "refuse", refusal, unmet: others };
  const isPushed = tip === landing.head;
  // Checks of a head that is out of date before anybody has seen it would be waited for in vain.
  if (!isPushed && !base.contained) return { kind: "rebase" };
  if (base.contained && unmet.some(({ code }) => code === "gate_unproven"))
    return { kind: "gate", head: landing.head };
  if (!isPushed) return { kind: "push-branch", from: tip, to: landing.head };
  if (others.length > 0) return { kind: "wait", unmet: others };
  return base.contained ? { kind: "land", head: landing.head } : { kind: "rebase" };
}

/** A branch of this repository is rebased, a fork's is its author's; a gate is run where that can be done. */
function isForKoryph(unmet: PullRefusal, { settings }: PullLandFacts): boolean {
  return unmet.code === "gate_unproven" ? settings.runsGate : menderOf(unmet) === "koryph";
}
