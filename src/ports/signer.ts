/** Signs commits and receipts with one SSH key, and with no other. */
export interface Signer {
  /** `ssh-ed25519 AAAA…`, without a comment: what `.allowed_signers` must name. */
  readonly publicKey: string;
  /** `SHA256:…` */
  readonly fingerprint: string;
  /** Settings and environment under which `git rebase -S` and `git commit-tree -S` sign with this key. */
  readonly git: {
    readonly config: readonly (readonly [key: string, value: string])[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** The signature of a receipt's bytes, as `ssh-keygen -Y sign` writes it. Throws a `UserError` when it cannot be had. */
  signReceipt(message: Uint8Array): Promise<string>;
  /** Ends whatever holds the key. */
  close(): Promise<void>;
}
