import type { CommitSignature } from "../land/commit-signature.js";

type Judged = Pick<CommitSignature, "letter">;

/**
 * Which of some commits are signed again once they are replayed, oldest first: those that had a good signature. One that
 * had none must not get one by a rebase. Null where a commit has a signature that is not good: nobody here can say what
 * it was worth, and a replay would lose it.
 */
export function signaturesToKeep(before: readonly Judged[]): readonly boolean[] | null {
  if (before.some(({ letter }) => letter !== "G" && letter !== "N")) return null;
  return before.map(({ letter }) => letter === "G");
}

export type SignatureFault =
  /** Other commits than there were, or some that cannot be judged. */
  | { readonly kind: "other-commits" }
  /** A commit that was signed is not any more, or not by a signer whom the base branch allows. */
  | { readonly kind: "lost"; readonly sha: string }
  /** A commit that nobody had signed is. */
  | { readonly kind: "gained"; readonly sha: string };

/** Null when the commits that came back are signed where those before were, and nowhere else. */
export function compareSignatures(
  before: readonly Judged[],
  after: readonly Pick<CommitSignature, "letter" | "sha">[],
): SignatureFault | null {
  const kept = signaturesToKeep(before);
  if (kept === null || kept.length !== after.length) return { kind: "other-commits" };
  for (const [at, { letter, sha }] of after.entries()) {
    if (kept[at] === true && letter !== "G") return { kind: "lost", sha };
    if (kept[at] === false && letter !== "N") return { kind: "gained", sha };
  }
  return null;
}
