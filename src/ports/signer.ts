/** Signs commits with one SSH key, and with no other. */
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
  /** Ends whatever holds the key. */
  close(): Promise<void>;
}
