/** The first thing about a receipt that does not hold. */
export type ReceiptFinding =
  /** The chain forks or joins here. */
  | { readonly code: "not-linear"; readonly parents: number }
  | { readonly code: "no-statement" }
  | { readonly code: "malformed"; readonly problem: string }
  /** Another program's receipt, or a later koryph's. */
  | { readonly code: "unknown-format"; readonly found: string }
  /** It says that it follows another receipt than the one it stands on. */
  | { readonly code: "out-of-place"; readonly says: string | null; readonly stands: string | null }
  | { readonly code: "unsigned" }
  | { readonly code: "bad-signature" }
  /** The base before the landing does not let this key sign receipts. */
  | { readonly code: "unknown-signer"; readonly fingerprint: string; readonly base: string }
  /** Subject and predicate name different things. */
  | { readonly code: "contradicts-itself"; readonly field: "branch" | "head" | "tree" }
  | { readonly code: "missing-commit"; readonly sha: string }
  | { readonly code: "tree-differs"; readonly says: string; readonly shows: string }
  /** What it lists is not what lies between the base before and the head. */
  | { readonly code: "commits-differ"; readonly sha: string }
  | { readonly code: "signer-differs"; readonly sha: string }
  /** An earlier receipt lists this commit already. */
  | { readonly code: "listed-twice"; readonly sha: string; readonly first: string }
  /** The branch does not have the head any more. */
  | { readonly code: "taken-back"; readonly head: string };

export type ReceiptFindingCode = ReceiptFinding["code"];
