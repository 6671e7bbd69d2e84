import type { CommitSignature } from "../core/land/commit-signature.js";
import type { ArrivedMove } from "../core/land/decide-landing.js";
import type { LandingClaims } from "../core/receipts/landing-claims.js";
import type { LandedWork } from "../core/receipts/statement.js";
import { receiptAdvice } from "../core/replies/receipts/receipts.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { OutsideFault } from "../ports/outside-fault.js";
import type { ReceiptMove, Receipts } from "../ports/receipts.js";
import type { Candidate, Repo } from "../ports/repo.js";

interface ReceiptParts {
  readonly repo: Pick<Repo, "fetchBase">;
  readonly receipts: Receipts;
}

/** What has to be read again of a landing that an earlier life made. */
interface RecoveryParts extends ReceiptParts {
  readonly repo: Pick<Repo, "fetchBase" | "signatures"> & {
    range(candidate: Candidate): Promise<LandedRange>;
  };
}

/** The slot that a landing is for, as far as its receipt tells of it. */
export type ReceiptSlot = Pick<Slot, "title" | "run" | "review" | "costUsd" | "costKnown">;

/** All that a receipt says of a landing before it has its place in the chain. */
export type ReceiptText = LandedWork & LandingClaims;

interface LandedRange {
  readonly commits: readonly { readonly sha: string }[];
  readonly tree: string;
}

/** What git shows of a landing. */
interface MovedCommits {
  readonly move: ArrivedMove;
  readonly range: LandedRange;
  readonly signatures: readonly CommitSignature[];
}

/** A landing that has arrived, and what may be said of it. */
interface RecoveredLanding {
  readonly landing: Landing;
  readonly slot: ReceiptSlot;
  readonly move: ArrivedMove;
  readonly witnessed: WitnessedClaims;
}

/** How often the chain alone may move under us. */
const MOST_TRIES = 5;
const UNSIGNED = { letter: "N", signer: "", fingerprint: "" } as const;

/** The slot's part in it; `gate` is null where nobody knows whether it was green. */
export function claimsOf(slot: ReceiptSlot, gate: LandingClaims["gate"]): LandingClaims {
  const { review, costUsd, costKnown } = slot;
  return {
    approvers: [],
    checks: [],
    gate,
    review: review && { head: review.head, verdict: review.verdict, summary: review.note },
    criteria: [...(review?.criteria ?? [])],
    cost: { usd: costUsd, known: costKnown },
  };
}

export function receiptText(
  landing: Landing,
  slot: ReceiptSlot,
  { move, range, signatures }: MovedCommits,
  claims: LandingClaims,
): ReceiptText {
  const { id, bead, branch, by, actor } = landing;
  const signed = new Map(signatures.map((each) => [each.sha, each]));
  return {
    branch,
    landing: id,
    bead: { id: bead, title: slot.title },
    run: slot.run,
    requested_by: { kind: by, actor },
    base: { before: move.from, after: move.head },
    head: move.head,
    tree: range.tree,
    commits: range.commits.map(({ sha }) => {
      const { letter, signer, fingerprint } = signed.get(sha) ?? UNSIGNED;
      return { sha, signature: letter, signer, fingerprint };
    }),
    ...claims,
  };
}

/** What others have said of a landing, as GitHub shows it now; nobody's word where there is no pull request. */
export type WitnessedClaims = Pick<LandingClaims, "approvers" | "checks">;
export const UNWITNESSED: WitnessedClaims = { approvers: [], checks: [] };

/**
 * The receipt of what an earlier life, or another machine, has pushed. Its commits are read from git and its approvals
 * from GitHub, so that nobody can make koryph sign for others by writing them into the ledger; what only the ledger knows
 * is taken from there.
 */
export async function recoverReceipt(
  parts: RecoveryParts,
  { landing, slot, move, witnessed }: RecoveredLanding,
): Promise<string> {
  const { repo } = parts;
  const range = { base: move.from, head: move.head };
  const [facts, signatures] = await Promise.all([repo.range(range), repo.signatures(move.from, range)]);
  const known = landing.intended?.head === move.head ? landing.intended.claims : undefined;
  const claims = { ...(known ?? claimsOf(slot, null)), ...witnessed };
  const text = receiptText(landing, slot, { move, range: facts, signatures }, claims);
  return appendReceipt(parts, text, { recovered: true, first: null });
}

/** Puts a receipt at the end of the chain, unless it has it: two may be at the same landing. Returns its commit. */
export async function appendReceipt(
  { repo, receipts }: ReceiptParts,
  text: ReceiptText,
  { recovered, first }: { readonly recovered: boolean; readonly first: ReceiptMove | null },
): Promise<string> {
  let move = first;
  for (let left = MOST_TRIES; left > 0; left -= 1) {
    if (move === null) {
      const { receipts: tip } = await repo.fetchBase();
      const there = await receipts.find(tip, text);
      if (there !== null) return there;
      move = await receipts.write(text, { tip, recovered });
    }
    if (await receipts.push(move)) {
      await receipts.seen(move.to);
      return move.to;
    }
    move = null;
  }
  throw new OutsideFault(receiptAdvice.busy());
}
