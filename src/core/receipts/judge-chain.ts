import type { ReceiptFinding } from "./receipt-finding.js";
import type { ReceiptStatement } from "./statement.js";

/** One receipt of the chain, looked at. */
export interface JudgedReceipt {
  /** Its commit in the chain. */
  readonly commit: string;
  /** Null when it cannot be read. */
  readonly statement: ReceiptStatement | null;
  readonly finding: ReceiptFinding | null;
}

export interface ChainQuestion {
  /** Oldest first. */
  readonly receipts: readonly JudgedReceipt[];
  /** The commits that must have arrived by a receipt, oldest first. */
  readonly wanted: readonly string[];
  /** Whether receipts count that list none of them: when all are asked about. */
  readonly all: boolean;
  /** The branch that was looked at, and what it has; commits of other branches are not looked for. */
  readonly branch: { readonly name: string; readonly has: (sha: string) => boolean };
  /** A receipt known from elsewhere, which the chain must have; null when none is. */
  readonly anchor: string | null;
}

/** A commit that came in by no receipt. */
export interface UncoveredCommit {
  readonly sha: string;
  readonly author: string;
  readonly email: string;
  readonly at: string;
  readonly subject: string;
}

export interface ChainAnswer {
  /** Those that were asked about, with what does not hold about each. */
  readonly receipts: readonly JudgedReceipt[];
  /** Commits that no receipt lists. */
  readonly uncovered: readonly string[];
  /** Null without an anchor; else whether the chain has it. */
  readonly anchored: boolean | null;
  readonly holds: boolean;
}

/** Whether every commit that is asked about came in by a receipt that holds. */
export function judgeChain(question: ChainQuestion): ChainAnswer {
  const { receipts, wanted, all, anchor } = question;
  const first = firstListing(receipts);
  const asked = new Set(wanted);
  const about = receipts
    .filter(({ statement }) => all || statement?.predicate.commits.some(({ sha }) => asked.has(sha)))
    .map((receipt) => ({ ...receipt, finding: receipt.finding ?? amongOthers(receipt, first, question) }));
  const uncovered = wanted.filter((sha) => !first.has(sha));
  const anchored = anchor === null ? null : receipts.some(({ commit }) => commit === anchor);
  const holds =
    uncovered.length === 0 && anchored !== false && about.every(({ finding }) => finding === null);
  return { receipts: about, uncovered, anchored, holds };
}

/** The receipt that first lists each commit. One that does not hold lists it, too: it is named for what is wrong with it. */
function firstListing(receipts: readonly JudgedReceipt[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const { commit, statement } of receipts)
    for (const { sha } of statement?.predicate.commits ?? []) if (!first.has(sha)) first.set(sha, commit);
  return first;
}

/** What is wrong with a receipt only beside the others, or beside the branch as it is now. */
function amongOthers(
  { commit, statement }: JudgedReceipt,
  first: ReadonlyMap<string, string>,
  { all, branch }: ChainQuestion,
): ReceiptFinding | null {
  if (statement === null) return null;
  const { predicate } = statement;
  for (const { sha } of predicate.commits) {
    const earlier = first.get(sha);
    if (earlier !== undefined && earlier !== commit) return { code: "listed-twice", sha, first: earlier };
  }
  const gone = all && predicate.branch === branch.name && !branch.has(predicate.head);
  return gone ? { code: "taken-back", head: predicate.head } : null;
}
