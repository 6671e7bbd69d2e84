import { holdOnPull } from "../core/control/pull-standing.js";
import { decidePullRequest, type OperatorPullRefusal } from "../core/land/pull/decide-pull-request.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { Landing, LedgerState } from "../core/run/ledger/ledger-state.js";
import type { Ledger } from "../ports/ledger.js";
import type { PullFacts, Pulls } from "../ports/pulls.js";
import { subjectOf } from "./pull-subject.js";
import { type SyncParts, syncPulls } from "./sync-pulls.js";

/** What the operator wants of a pull request, beside that it lands. */
export interface PullWish {
  readonly method: "ff" | "squash";
  /** Whether the method was asked for, and is not just the project's. */
  readonly methodAsked: boolean;
  readonly allowProtected: boolean;
  /** The operator's account on GitHub; null where it is not known. */
  readonly by: string | null;
}

export type PullLandingRequest =
  | { readonly kind: "requested"; readonly landing: Landing }
  /** Its base branch has it, whoever brought it there. */
  | { readonly kind: "landed"; readonly head: string; readonly branch: string }
  | { readonly kind: "refused"; readonly refusal: OperatorPullRefusal };

interface RequestParts {
  readonly ledger: Ledger;
  readonly pulls: SyncParts["pulls"];
}

/**
 * Puts a pull request into the landing queue with the head that GitHub shows now, because the operator asks for it. One
 * that is in the queue is gone on with: an earlier command may have been cut off.
 */
export async function requestPullLanding(
  { ledger, pulls }: RequestParts,
  pull: PullFacts,
  wish: PullWish,
): Promise<PullLandingRequest> {
  let view = await ledger.refresh();
  if (queuedIn(view.state, pull) === null) {
    // What became of it on GitHub is on record first: a slot may wait for it.
    await syncPulls({ ledger, pulls: knowing(pulls, pull) }, { only: pull.number });
    const head = await landedHead(pulls, pull);
    if (head !== null) return { kind: "landed", head, branch: pull.base.branch };
    view = await ledger.refresh();
  }
  for (;;) {
    const { state } = view;
    const queued = queuedIn(state, pull);
    const refusal = refusalOf(state, pull, { queued, wish });
    if (refusal !== null) return { kind: "refused", refusal };
    if (queued !== null) return { kind: "requested", landing: queued };
    const answer = await ledger.claim([requestEvent(state, pull, wish)], view);
    view = answer.view;
    const landing = queuedIn(view.state, pull);
    if (answer.kind === "won" && landing === null)
      throw new Error(`the landing of pull request ${pull.number} was recorded and is not in the queue`);
  }
}

/** GitHub has just told of this one. */
function knowing(pulls: RequestParts["pulls"], pull: PullFacts): RequestParts["pulls"] {
  return {
    read: async () => pull,
    listOpen: () => pulls.listOpen(),
    isOn: (branch, commit) => pulls.isOn(branch, commit),
  };
}

function queuedIn({ landings }: LedgerState, { number }: PullFacts): Landing | null {
  return landings.find(({ pull }) => pull === number) ?? null;
}

/** Where GitHub does not show it as merged yet, the base branch tells. */
async function landedHead(
  pulls: Pick<Pulls, "isOn">,
  { merged, head, base }: PullFacts,
): Promise<string | null> {
  if (merged?.commit) return merged.commit;
  return (await pulls.isOn(base.branch, head.sha)) ? head.sha : null;
}

function refusalOf(
  state: LedgerState,
  pull: PullFacts,
  { queued, wish }: { readonly queued: Landing | null; readonly wish: PullWish },
): OperatorPullRefusal | null {
  const hold = holdOnPull(pull, state);
  if (queued !== null) {
    if (hold !== null) return { code: "held", actor: hold.actor, reason: hold.reason };
    const { method, allowProtected } = queued;
    const otherwise = wish.methodAsked && wish.method !== method;
    return otherwise || (wish.allowProtected && !allowProtected)
      ? { code: "under_way", method, allowProtected }
      : null;
  }
  const decision = decidePullRequest({
    ...{
      open: pull.state === "open",
      merged: pull.merged !== null,
      draft: pull.draft,
      hold,
      queued: null,
      method: wish.method,
    },
    // Whoever is at the terminal means what is there now.
    ...{ head: pull.head.sha, sha: pull.head.sha, writtenAt: "", activity: null },
  });
  if (decision.kind === "refuse") return decision.refusal;
  const bead = subjectOf(pull, state);
  const status = state.slots[bead]?.status ?? "pr-opened";
  return status === "pr-opened" ? null : { code: "at_work", bead, status };
}

function requestEvent(state: LedgerState, pull: PullFacts, wish: PullWish): NewEvent {
  const { branch, sha: base } = pull.base;
  return {
    type: "pull.landing",
    bead: subjectOf(pull, state),
    ...(wish.by !== null && { actor: `@${wish.by}` }),
    data: {
      ...{ pull: pull.number, branch, base, head: pull.head.sha, method: wish.method },
      allow_protected: wish.allowProtected,
    },
  };
}
