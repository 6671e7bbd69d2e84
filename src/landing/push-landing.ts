import type { ArrivedMove } from "../core/land/decide-landing.js";
import { type LandingEnd, type Standing, standingOf } from "../core/land/landing-queue.js";
import type { CarriedApproval } from "../core/land/pull/carry-approval.js";
import type { LandRefusal } from "../core/land/refusal.js";
import { landAdvice } from "../core/replies/land/land.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import { UserError } from "../lib/user-error.js";
import type { Ledger, LedgerView } from "../ports/ledger.js";
import type { ReceiptMove, Receipts } from "../ports/receipts.js";
import type { Base, Repo } from "../ports/repo.js";
import { appendReceipt, type ReceiptText } from "./write-receipt.js";

export interface PushParts {
  readonly ledger: Ledger;
  readonly repo: PushedRepo;
  readonly receipts: Receipts;
}

/** What is to be pushed, and what its receipt will say. */
export interface ReadyLanding {
  readonly landing: Landing;
  readonly base: Base;
  readonly receipt: ReceiptText;
  /** The approval that it lands by, where that was given for an older head. */
  readonly carried?: CarriedApproval | undefined;
}

/** What is on record of a landing besides the move itself. */
export interface LandingNotes {
  /** The commit of its receipt; undefined for what koryph did not push. */
  readonly receipt: string | undefined;
  readonly carried?: CarriedApproval | undefined;
}

/** What of a repository a push needs: the engine's own, or one that a pull request lands from. */
export type PushedRepo = Pick<Repo, "target" | "objects" | "isAncestor" | "fetchBase" | "pushBase">;

/** What keeps a claim from being made. */
type Closed = Exclude<Standing, { readonly kind: "open" }>;

export type Pushed =
  | Closed
  | { readonly kind: "lost" }
  | { readonly kind: "refused"; readonly refusal: LandRefusal };

/** How often ledger and receipts alone may get in the way before they and the base are moved one after the other. */
const MOST_LOST = 3;

/**
 * Moves the default branch to the landing's head, and records it. Where the remote can do so in one write, branch,
 * record and receipt move together or not at all. Elsewhere the intention is recorded first, and whether it came true
 * shows in the branch.
 */
export async function pushLanding(parts: PushParts, ready: ReadyLanding): Promise<Pushed> {
  const { repo, ledger } = parts;
  const { landing, base } = ready;
  // A lease says that the branch is where it was seen; only this says that nothing on it gets lost.
  const [contained, seen] = await Promise.all([repo.isAncestor(base.tip, landing.head), ledger.refresh()]);
  if (!contained) throw new Error(`${landing.head} does not contain ${base.tip}, the tip of ${base.branch}`);
  // Written before anything moves: a key that does not sign is met while there is nothing to go back on.
  let draft = await draftReceipt(parts, ready, base.receipts);
  if (repo.target === "checkout") return apart(parts, ready, draft);
  const branch = { ref: `refs/heads/${base.branch}`, from: base.tip, to: landing.head };
  let view: LedgerView = seen;
  for (let lost = 0; lost < MOST_LOST; lost += 1) {
    const standing = standingOf(view.state, landing);
    if (standing.kind !== "open") return standing;
    const { commit, move } = draft;
    const notes = { receipt: commit, carried: ready.carried };
    const event = landed(landing, { from: base.tip, head: landing.head }, notes);
    const refs = move === null ? [branch] : [branch, move];
    const answer = await ledger.claimBeside([event], view, { refs, objects: repo.objects });
    if (answer.kind === "won") {
      await parts.receipts.seen(commit);
      return readBack(repo, landing.head, notes);
    }
    if (answer.kind === "refused") return refused(answer.why);
    view = answer.view;
    const now = await repo.fetchBase();
    if (now.tip !== base.tip) {
      const standing = standingOf(view.state, landing);
      return standing.kind === "landed" || standing.kind === "gone" ? standing : { kind: "lost" };
    }
    if (now.receipts !== draft.tip) draft = await draftReceipt(parts, ready, now.receipts);
  }
  return apart(parts, ready, draft);
}

/** A receipt that is in the chain already, or the move that puts it there. */
interface ReceiptDraft {
  readonly tip: string | null;
  readonly commit: string;
  readonly move: ReceiptMove | null;
}

async function draftReceipt(
  { receipts }: PushParts,
  { landing, receipt }: ReadyLanding,
  tip: string | null,
): Promise<ReceiptDraft> {
  // Only what was announced before can have been pushed before, and taken off the branch again.
  const there = landing.intended === null ? null : await receipts.find(tip, receipt);
  if (there !== null) return { tip, commit: there, move: null };
  const move = await receipts.write(receipt, { tip, recovered: false });
  return { tip, commit: move.to, move };
}

/** Intention, push, receipt, record: four writes, of which the second one decides. */
async function apart(parts: PushParts, ready: ReadyLanding, draft: ReceiptDraft): Promise<Pushed> {
  const { repo, ledger } = parts;
  const { landing, base, receipt, carried } = ready;
  const { bead, id, head } = landing;
  const { approvers, checks, gate, review, criteria, cost } = receipt;
  const claims = { approvers, checks, gate, review, criteria, cost };
  const data = { request: id, from: base.tip, head, claims };
  const closed = await claimed(ledger, landing, { type: "land.intended", bead, data });
  if (closed !== null) return closed;
  const pushed = await repo.pushBase({ branch: base.branch, from: base.tip, to: head });
  switch (pushed.kind) {
    case "moved":
      return { kind: "lost" };
    case "refused":
      return refused(pushed.why);
    case "pushed": {
      await readBack(repo, head, { receipt: undefined });
      const written = await appendReceipt(parts, receipt, { recovered: false, first: draft.move });
      return recordLanding(ledger, landing, { from: base.tip, head }, { receipt: written, carried });
    }
  }
}

/** Records what is on the default branch, whatever anybody wants by now. */
export async function recordLanding(
  ledger: Ledger,
  landing: Landing,
  move: ArrivedMove,
  notes: LandingNotes,
): Promise<LandingEnd> {
  const closed = await claimed(ledger, landing, landed(landing, move, notes), { evenHeld: true });
  return closed === null || closed.kind === "held" ? { kind: "landed", head: move.head, ...notes } : closed;
}

/** Null when it was recorded; else what makes it needless, or unwanted. */
async function claimed(
  ledger: Ledger,
  landing: Landing,
  event: NewEvent,
  { evenHeld }: { readonly evenHeld: boolean } = { evenHeld: false },
): Promise<Closed | null> {
  let view: LedgerView = await ledger.refresh();
  for (;;) {
    const standing = standingOf(view.state, landing);
    if (standing.kind !== "open" && !(evenHeld && standing.kind === "held")) return standing;
    const answer = await ledger.claim([event], view);
    if (answer.kind === "won") return null;
    view = answer.view;
  }
}

/** The remote has the last word on what it holds. */
async function readBack(repo: PushedRepo, head: string, notes: LandingNotes): Promise<LandingEnd> {
  const { tip, branch } = await repo.fetchBase();
  if (!(await repo.isAncestor(head, tip))) throw UserError.of(landAdvice.takenBack(branch, head, tip));
  return { kind: "landed", head, ...notes };
}

function landed({ bead, id }: Landing, { from, head }: ArrivedMove, notes: LandingNotes): NewEvent {
  const { receipt, carried } = notes;
  const approved = carried?.approved;
  return { type: "land.landed", bead, data: { request: id, from, head, receipt, approved } };
}

function refused(why: string): Pushed {
  return { kind: "refused", refusal: { kind: "push_refused", why } };
}
