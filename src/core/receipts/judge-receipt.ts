import type { ReceiptFinding } from "./receipt-finding.js";
import type { LandedCommit, ReceiptStatement } from "./statement.js";

/** A commit as git shows it. */
export interface ShownCommit {
  readonly tree: string;
  readonly parents: readonly string[];
}

/** What a commit's own signature says, judged anew. */
export type ShownSignature =
  | { readonly kind: "none" }
  /** Made by this key over this commit; `allowed` by the base before the landing. */
  | { readonly kind: "good"; readonly fingerprint: string; readonly allowed: boolean }
  | { readonly kind: "bad" }
  /** Of a kind that is not looked into. */
  | { readonly kind: "foreign" };

export type ReceiptSignature =
  | { readonly kind: "none" }
  | { readonly kind: "bad" }
  /** Good, by a key that the base before the landing does not let sign receipts. */
  | { readonly kind: "unknown"; readonly fingerprint: string }
  | { readonly kind: "good"; readonly fingerprint: string; readonly signer: string };

/** What the repository shows beside a receipt. */
export interface ReceiptFacts {
  /** Parents of the receipt's own commit. */
  readonly parents: readonly string[];
  readonly signature: ReceiptSignature;
  /** Undefined for a commit that is not there. */
  readonly commit: (sha: string) => ShownCommit | undefined;
  readonly commitSignature: (sha: string) => ShownSignature;
}

/** What does not hold about one receipt, most telling first; null when everything does. */
export function judgeReceipt(
  { subject, predicate }: ReceiptStatement,
  facts: ReceiptFacts,
): ReceiptFinding | null {
  const { base, head, tree, commits, previous } = predicate;
  const { parents, signature } = facts;
  if (parents.length > 1) return { code: "not-linear", parents: parents.length };
  const stands = parents[0] ?? null;
  if (previous !== stands) return { code: "out-of-place", says: previous, stands };
  const [{ name, digest }] = subject;
  if (name !== `refs/heads/${predicate.branch}`) return { code: "contradicts-itself", field: "branch" };
  if (digest.gitCommit !== head || base.after !== head) return { code: "contradicts-itself", field: "head" };
  if (digest.gitTree !== tree) return { code: "contradicts-itself", field: "tree" };
  if (facts.commit(base.before) === undefined) return { code: "missing-commit", sha: base.before };
  switch (signature.kind) {
    case "none":
      return { code: "unsigned" };
    case "bad":
      return { code: "bad-signature" };
    case "unknown":
      return { code: "unknown-signer", fingerprint: signature.fingerprint, base: base.before };
    case "good":
  }
  const shown = facts.commit(head);
  if (shown === undefined) return { code: "missing-commit", sha: head };
  if (shown.tree !== tree) return { code: "tree-differs", says: tree, shows: shown.tree };
  const odd = oddCommit(commits, base, facts.commit);
  if (odd !== null) return odd;
  const forged = commits.find((each) => !isSignedAs(each, facts.commitSignature(each.sha)));
  return forged === undefined ? null : { code: "signer-differs", sha: forged.sha };
}

/** Landings are lines of commits, each on the one before it: then nothing else can lie between base and head. */
function oddCommit(
  commits: readonly LandedCommit[],
  { before, after }: { readonly before: string; readonly after: string },
  commit: ReceiptFacts["commit"],
): ReceiptFinding | null {
  let below = before;
  for (const { sha } of commits) {
    const found = commit(sha);
    if (found === undefined) return { code: "missing-commit", sha };
    if (found.parents.length !== 1 || found.parents[0] !== below) return { code: "commits-differ", sha };
    below = sha;
  }
  return below === after ? null : { code: "commits-differ", sha: after };
}

/** Letters that say nothing of a key are believed: what they are about cannot be looked into. */
function isSignedAs({ signature, fingerprint }: LandedCommit, shown: ShownSignature): boolean {
  switch (signature) {
    case "G":
      return shown.kind === "good" && shown.fingerprint === fingerprint && shown.allowed;
    case "U":
      return shown.kind === "good" && shown.fingerprint === fingerprint;
    case "N":
      return shown.kind === "none";
    case "B":
    case "X":
    case "Y":
    case "R":
    case "E":
      return shown.kind !== "none";
  }
}
