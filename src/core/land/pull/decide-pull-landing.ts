import type { ArrivedMove } from "../decide-landing.js";
import type { LandingEnd } from "../landing-queue.js";
import type { PullLandFacts } from "./pull-land-facts.js";
import { isWaitedFor, menderOf, type PullRefusal } from "./pull-refusal.js";
import { isToSquash, unmetForLanding } from "./unmet-for-landing.js";

export type PullLandStep =
  | LandingEnd
  /** A person wants it to wait. */
  | { readonly kind: "held" }
  /** It has landed, and the ledger does not know. */
  | { readonly kind: "record"; readonly move: ArrivedMove }
  | { readonly kind: "refuse"; readonly refusal: PullRefusal; readonly unmet: readonly PullRefusal[] }
  /** It keeps its place: others are at work on what is missing. */
  | { readonly kind: "wait"; readonly unmet: readonly PullRefusal[] }
  /** Nothing else keeps it, as far as koryph can tell without running it; but for what is waited for. */
  | { readonly kind: "gate"; readonly head: string; readonly unmet: readonly PullRefusal[] }
  /** Its branch is replayed on the base as it is now. */
  | { readonly kind: "rebase" }
  /** Its commits become one, on the base as it is now. */
  | { readonly kind: "squash" }
  /** What was replayed and recorded is not on its branch yet. */
  | { readonly kind: "push-branch"; readonly from: string; readonly to: string }
  | { readonly kind: "land"; readonly head: string };

/** Whoever approved several commits did not approve the one that they become: that is asked of it when it is there. */
const AFTER_SQUASH: ReadonlySet<PullRefusal["code"]> = new Set([
  "not_approved",
  "ancestor_unapproved",
  "code_owner_missing",
]);

/**
 * The next step of a pull request's landing. It is asked again after each one, so that whatever lands has met every
 * condition in its last form. Nothing is waited for that would be refused in the end.
 */
export function decidePullLanding(facts: PullLandFacts): PullLandStep {
  const { standing, arrived, tip, landing, base } = facts;
  if (standing.kind !== "open") return standing;
  if (arrived !== null) return { kind: "record", move: arrived };
  const unmet = unmetForLanding(facts);
  const squashes = isToSquash(facts);
  const isPushed = tip === landing.head;
  const isUnseen = squashes || (landing.method === "squash" && !isPushed);
  const others = unmet.filter(
    (each) => menderOf(each) !== "koryph" && !(isUnseen && AFTER_SQUASH.has(each.code)),
  );
  const refusal = others.find((each) => !isWaitedFor(each, facts.waitedMs));
  if (refusal !== undefined) return { kind: "refuse", refusal, unmet: others };
  const remake = { kind: landing.method === "squash" ? "squash" : "rebase" } as const;
  const push = { kind: "push-branch", from: tip, to: landing.head } as const;
  // Checks of a head that is out of date before anybody has seen it would be waited for in vain.
  if (!isPushed && (squashes || !base.contained)) return remake;
  if (squashes) return others.length > 0 ? { kind: "wait", unmet: others } : remake;
  // What nobody has approved is pushed for people to look at, and not run.
  if (!isPushed && unmet.some(({ code }) => AFTER_SQUASH.has(code))) return push;
  const isUngated = base.contained && unmet.some(({ code }) => code === "gate_unproven");
  const gate = { kind: "gate", head: landing.head, unmet: others } as const;
  if (isUngated && facts.settings.gateBy === "here") return gate;
  if (!isPushed) return push;
  // A runner has nothing but what GitHub shows. Checks are waited for at the same time.
  if (isUngated && others.every(({ code }) => code !== "head_not_shown")) return gate;
  if (others.length > 0) return { kind: "wait", unmet: others };
  return base.contained ? { kind: "land", head: landing.head } : remake;
}
