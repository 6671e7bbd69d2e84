import { bindHead, type HeadFacts } from "./bind-head.js";
import type { PullRefusal } from "./pull-refusal.js";

/** A person's wish to land a pull request. */
export interface PullRequestFacts extends HeadFacts {
  readonly open: boolean;
  readonly merged: boolean;
  readonly draft: boolean;
  readonly hold: { readonly actor: string; readonly reason: string } | null;
  /** What is in the landing queue already; null when nothing is. */
  readonly queued: QueuedPull | null;
  /** How it is asked for now. */
  readonly method: "ff" | "squash";
}

interface QueuedPull {
  readonly head: string;
  readonly method: "ff" | "squash";
  readonly allowProtected: boolean;
}

export type PullRequestRefusal =
  | Extract<PullRefusal, { readonly code: "not_open" | "draft" | "sha_mismatch" | "head_moved" }>
  | { readonly code: "held"; readonly actor: string; readonly reason: string }
  /** Asked for before, in another way. */
  | { readonly code: "under_way"; readonly method: "ff" | "squash"; readonly allowProtected: boolean };

/** What keeps the operator's own request out of the queue besides. */
export type OperatorPullRefusal =
  | PullRequestRefusal
  /** A run has its bead in hand. */
  | { readonly code: "at_work"; readonly bead: string; readonly status: string };

export type PullRequestDecision =
  | { readonly kind: "ask"; readonly head: string }
  | { readonly kind: "already"; readonly head: string }
  | { readonly kind: "refuse"; readonly refusal: PullRequestRefusal };

/** Whether a pull request gets a place in the landing queue. Whether it lands is decided there. */
export function decidePullRequest(facts: PullRequestFacts): PullRequestDecision {
  const { open, merged, draft, hold, queued, head, method } = facts;
  if (!open) return refuse({ code: "not_open", merged });
  if (hold !== null) return refuse({ code: "held", actor: hold.actor, reason: hold.reason });
  if (draft) return refuse({ code: "draft" });
  const bound = bindHead(facts);
  switch (bound.kind) {
    case "sha_mismatch":
      return refuse({ code: "sha_mismatch", asked: bound.asked, actual: head });
    case "head_moved":
      // What was meant is not known: an earlier head, or this one in the second in which it was pushed.
      return refuse({ code: "head_moved", asked: "", actual: head });
    case "bound":
      if (queued === null) return { kind: "ask", head };
      // It would land as it stands in the queue, whoever has put it there.
      return queued.method === method
        ? { kind: "already", head: queued.head }
        : refuse({ code: "under_way", method: queued.method, allowProtected: queued.allowProtected });
  }
}

function refuse(refusal: PullRequestRefusal): PullRequestDecision {
  return { kind: "refuse", refusal };
}
