import type { ArrivedMove } from "../core/land/decide-landing.js";
import { type LandingEnd, standingOf } from "../core/land/landing-queue.js";
import type { CarriedApproval } from "../core/land/pull/carry-approval.js";
import { decidePullLanding } from "../core/land/pull/decide-pull-landing.js";
import type { PullRefusal } from "../core/land/pull/pull-refusal.js";
import { keptFacts } from "../core/model/kept-facts.js";
import { pullRefusalDetail, pullWords } from "../core/replies/land/pull/pull-words.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import { type PushedRepo, pushLanding, recordLanding } from "../landing/push-landing.js";
import { recoverReceipt } from "../landing/write-receipt.js";
import type { PullRepo } from "../ports/pull-repo.js";
import type { Candidate } from "../ports/repo.js";
import { carriedApproval } from "./approvals/carried-approval.js";
import type { PullGate } from "./gate-pull.js";
import {
  type GatheredFacts,
  gatherLandFacts,
  type LandPullParts,
  type LandPullSettings,
} from "./gather-land-facts.js";
import { pullReceipt, receiptSlot, signaturesOf, witnessedClaims } from "./pull-receipt.js";
import { rebasePull, squashPull } from "./rewrite-pull.js";

/** What came of one look at a landing, and the pull request as it was seen last; null when it was not. */
export type PullLandOutcome = PullLandEnd & { readonly seen: SeenPull | null };

/** A pull request as far as its standing is told. */
interface SeenPull {
  readonly number: number;
  readonly state: "open" | "closed";
  readonly merged: object | null;
  readonly head: { readonly branch: string; readonly sha: string; readonly fork: boolean };
  readonly base: { readonly branch: string };
  /** The approval that counts although it was given for an older head; null when there is none. */
  readonly carried: CarriedApproval | null;
}

/** What came of a look. */
export type PullLandEnd =
  | LandingEnd
  | { readonly kind: "refused"; readonly refusal: PullRefusal; readonly unmet: readonly PullRefusal[] }
  | { readonly kind: "waiting"; readonly unmet: readonly PullRefusal[] }
  | { readonly kind: "held" }
  /** The gate was ended before it had ended. */
  | { readonly kind: "stopped" };

/** More steps than any landing takes in one go; what goes on for longer is taken up again later. */
const MOST_STEPS = 8;

/**
 * Takes a pull request's landing as far as it goes now. Facts are gathered anew before every step, so what lands met
 * every condition in exactly the form in which it lands. It may be repeated at any time: what an earlier call did
 * shows in the ledger, on the pull request's branch and on the base branch itself.
 */
export async function landPull(
  parts: LandPullParts,
  settings: LandPullSettings,
  request: Landing,
): Promise<PullLandOutcome> {
  let seen: SeenPull | null = null;
  const end = await bringOn(parts, settings, request, (facts) => {
    seen = seenPull(facts);
  });
  return { ...end, seen };
}

async function bringOn(
  parts: LandPullParts,
  settings: LandPullSettings,
  request: Landing,
  onFacts: (facts: GatheredFacts) => void,
): Promise<PullLandEnd> {
  let landing = request;
  let gated: string | null = null;
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const facts = await gatherLandFacts(parts, settings, { request: landing, gated });
    if (facts === null) return refuse(parts, landing, { code: "not_open", merged: false });
    landing = facts.queued;
    onFacts(facts);
    const step = decidePullLanding(facts);
    switch (step.kind) {
      case "landed":
      case "gone":
      case "held":
        return step;
      case "record": {
        // What nobody announced, somebody else has put there.
        const recovery = { repo: recoveredRepo(parts, landing), receipts: parts.receipts };
        const receipt =
          landing.intended === null
            ? undefined
            : await recoverReceipt(recovery, {
                ...{ landing, slot: receiptSlot(facts.told), move: step.move },
                witnessed: witnessedClaims(facts),
              });
        const carried = carriedApproval(facts) ?? undefined;
        return recordLanding(parts.ledger, landing, step.move, { receipt, carried });
      }
      case "refuse":
        return refuse(parts, landing, step.refusal, { unmet: step.unmet });
      case "wait":
        return { kind: "waiting", unmet: step.unmet };
      case "rebase":
      case "squash": {
        const remake = step.kind === "rebase" ? rebasePull : squashPull;
        const rebased = await remake(parts, settings, { landing, facts });
        if ("waits" in rebased) return { kind: "waiting", unmet: [rebased.waits] };
        if ("code" in rebased) return refuse(parts, landing, rebased);
        landing = rebased;
        const { head } = landing;
        parts.progress?.(landing, {
          kind: step.kind === "rebase" ? "rebased" : "squashed",
          onto: facts.base.tip,
          head,
        });
        break;
      }
      case "gate": {
        const answer = await gateOf(parts).run(landing, facts.base.tip, settings);
        if (answer.kind === "waits") return { kind: "waiting", unmet: [...step.unmet, answer.refusal] };
        if (answer.kind === "refused") return refuse(parts, landing, answer.refusal);
        if (answer.kind === "stopped") return answer;
        gated = step.head;
        break;
      }
      case "push-branch": {
        parts.progress?.(landing, { kind: "pushing-branch", head: step.to });
        const pushed = await parts.repo.pushBranch(facts.pull.branch, step);
        // Where it moved, the next look finds whose commits are there now.
        if (typeof pushed === "object")
          return refuse(parts, landing, { code: "push_refused", why: pushed.refused });
        break;
      }
      case "land": {
        parts.progress?.(landing, { kind: "pushing", head: landing.head });
        const outcome = await push(parts, landing, facts);
        if (outcome !== null) return outcome;
      }
    }
  }
  return { kind: "waiting", unmet: [] };
}

function gateOf({ gate }: LandPullParts): PullGate {
  if (gate === undefined) throw new Error("a gate is to be run where none can");
  return gate;
}

/** With the head that is to land, which GitHub may not show yet. */
function seenPull(facts: GatheredFacts): SeenPull {
  const { pull, queued, base } = facts;
  const { branch, fork } = pull;
  return {
    number: queued.pull ?? 0,
    state: pull.open ? "open" : "closed",
    merged: pull.merged ? {} : null,
    head: { branch, sha: queued.head, fork },
    base: { branch: base.branch },
    carried: carriedApproval(facts),
  };
}

/** Null when the base branch or the ledger moved in between: everything is decided again. */
async function push(
  parts: LandPullParts,
  landing: Landing,
  facts: GatheredFacts,
): Promise<PullLandEnd | null> {
  const { ledger, repo, receipts } = parts;
  const { branch, tip } = facts.base;
  await repo.complete({ base: tip, head: landing.head });
  const pushed = await pushLanding(
    { ledger, repo: pushedRepo(repo, landing), receipts },
    {
      landing,
      base: { branch, tip, receipts: facts.told.tip },
      receipt: await pullReceipt(parts, landing, facts),
      carried: carriedApproval(facts) ?? undefined,
    },
  );
  switch (pushed.kind) {
    case "lost":
      return null;
    case "refused": {
      const why = pushed.refusal.kind === "push_refused" ? pushed.refusal.why : pushed.refusal.kind;
      return refuse(parts, landing, { code: "push_refused", why }, { failed: landing.head });
    }
    case "landed":
    case "gone":
    case "held":
      return pushed;
  }
}

/** A pull request's repository as the push of a landing knows one. */
function pushedRepo(repo: PullRepo, { branch, pull, head }: Landing): PushedRepo {
  return {
    target: "remote",
    objects: repo.objects,
    isAncestor: (ancestor, commit) => repo.isAncestor(ancestor, commit),
    fetchBase: async () => {
      const place = { number: pull ?? 0, branch, fork: false };
      const { base, receipts } = await repo.fetch(branch, place);
      return { branch, tip: base, receipts };
    },
    pushBase: async (move) => {
      const answer = await repo.pushBase(move.branch, { from: move.from, to: head });
      if (typeof answer === "object") return { kind: "refused", why: answer.refused };
      return { kind: answer };
    },
  };
}

function recoveredRepo(parts: LandPullParts, landing: Landing) {
  const { repo } = parts;
  return {
    fetchBase: pushedRepo(repo, landing).fetchBase,
    range: (candidate: Candidate) => repo.range(candidate),
    signatures: signaturesOf(parts),
  };
}

/** So long after it was announced nobody makes a push any more: git is given up on much earlier. */
const PUSHED_WITHIN_MS = 5 * 60_000;

interface RefusedLanding {
  readonly unmet?: readonly PullRefusal[];
  /** A head whose push was announced, and failed. */
  readonly failed?: string | undefined;
}

/**
 * The landing leaves the queue with its reason, unless somebody has decided it meanwhile, or announced a push of it: what
 * arrives after a refusal would have no record and no receipt. The next look finds what became of that push.
 */
async function refuse(
  { ledger, repo, now }: LandPullParts,
  landing: Landing,
  refusal: PullRefusal,
  { unmet = [refusal], failed }: RefusedLanding = {},
): Promise<PullLandEnd> {
  const { bead, id: request } = landing;
  const { code, next } = pullWords(refusal);
  const detail = pullRefusalDetail(refusal);
  const data = { request, result: "error", code, detail, data: keptFacts({ next }) } as const;
  let view = await ledger.refresh();
  for (;;) {
    const standing = standingOf(view.state, landing);
    if (standing.kind === "landed" || standing.kind === "gone") return standing;
    const intended = view.state.landings.find(({ id }) => id === landing.id)?.intended ?? null;
    if (intended !== null) {
      const isOver = intended.head === failed || !isRecent(intended.at, now());
      if (await mayArrive(pushedRepo(repo, landing), intended, isOver)) return { kind: "waiting", unmet: [] };
    }
    const answer = await ledger.claim([{ type: "land.refused", bead, data }], view);
    if (answer.kind === "won") return { kind: "refused", refusal, unmet };
    view = answer.view;
  }
}

/** Clocks of two machines differ a little, either way. */
function isRecent(at: string | undefined, now: number): boolean {
  return at !== undefined && Math.abs(now - Date.parse(at)) < PUSHED_WITHIN_MS;
}

/** Whether the base branch has what was announced, or whoever announced it may be about to push it. */
async function mayArrive(repo: PushedRepo, { from, head }: ArrivedMove, isOver: boolean): Promise<boolean> {
  const { tip } = await repo.fetchBase();
  if (tip === from) return !isOver;
  return (await repo.isAncestor(head, tip)) && !(await repo.isAncestor(head, from));
}
