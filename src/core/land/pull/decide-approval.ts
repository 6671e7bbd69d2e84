import { type BoundHead, bindHead, type HeadFacts } from "./bind-head.js";
import { type Contributor, type Hand, handOf, type Person } from "./count-approvals.js";

export interface ApprovalRequest extends HeadFacts {
  readonly by: Person;
  readonly open: boolean;
  readonly contributors: readonly Contributor[];
  /** Whether it is known who made every commit. */
  readonly contributorsKnown: boolean;
  /** The head that they have approved before, as GitHub still shows; null when none. */
  readonly approved: string | null;
}

export type ApprovalRefusal =
  | { readonly code: "not_open" }
  | { readonly code: "own_work"; readonly hand: Hand }
  | { readonly code: "too_large" }
  | { readonly code: "sha_mismatch"; readonly asked: string; readonly head: string }
  | { readonly code: "head_moved"; readonly head: string };

/** Why a review in GitHub's own form leaves the ledger as it is. */
export type LeftReview =
  | ApprovalRefusal["code"]
  | "already"
  | "not-a-person"
  | "not-permitted"
  /** It takes back what was never given. */
  | "not-approved";

export type ApprovalDecision =
  | { readonly kind: "approve"; readonly head: string }
  | { readonly kind: "already"; readonly head: string }
  | { readonly kind: "refuse"; readonly refusal: ApprovalRefusal };

/** Whether somebody's approval is taken. Whether they may approve at all has been asked before. */
export function decideApproval(request: ApprovalRequest): ApprovalDecision {
  const { by, open, contributors, approved } = request;
  if (!open) return refuse({ code: "not_open" });
  const hand = handOf(by, contributors);
  if (hand !== null) return refuse({ code: "own_work", hand });
  if (!request.contributorsKnown) return refuse({ code: "too_large" });
  const bound: BoundHead = bindHead(request);
  switch (bound.kind) {
    case "sha_mismatch":
      return refuse({ code: "sha_mismatch", asked: bound.asked, head: request.head });
    case "head_moved":
      return refuse({ code: "head_moved", head: request.head });
    case "bound":
      return { kind: approved === bound.head ? "already" : "approve", head: bound.head };
  }
}

function refuse(refusal: ApprovalRefusal): ApprovalDecision {
  return { kind: "refuse", refusal };
}
