/** What `%G?` says of a commit's signature. */
export const SIGNATURE_LETTERS = ["G", "B", "U", "X", "Y", "R", "E", "N"] as const;
export type SignatureLetter = (typeof SIGNATURE_LETTERS)[number];

export interface CommitSignature {
  readonly sha: string;
  readonly letter: SignatureLetter;
  /** Who the key belongs to according to `.allowed_signers`; empty when it is not in there. */
  readonly signer: string;
  /** `SHA256:…`; empty when there is no signature. */
  readonly fingerprint: string;
}
