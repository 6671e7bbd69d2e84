import { preAuthEncoding } from "../../../core/receipts/envelope.js";
import type { ReceiptFacts, ReceiptSignature, ShownSignature } from "../../../core/receipts/judge-receipt.js";
import type { ReceiptStatement } from "../../../core/receipts/statement.js";
import { ALLOWED_SIGNERS } from "../../../core/replies/sign/signing.js";
import {
  type AllowedSigners,
  allowedSigners,
  countsForGit,
  linesNaming,
  RECEIPT_NAMESPACE,
} from "../../../core/sign/allowed-signers.js";
import { receiptSigner } from "../../../core/sign/receipt-signers.js";
import { type CommitObject, readCommitObject } from "../../sign/commit-object.js";
import { keyThatSigned } from "../../sign/ssh-signature.js";
import type { ChainReceipt } from "./read-chain.js";
import { readObjects } from "./read-objects.js";

/** A receipt that can be read, and what it says. */
export interface ReadReceipt extends ChainReceipt {
  readonly statement: ReceiptStatement;
}

const GIT_NAMESPACE = "git";

/** What the repository shows beside receipts, read by two gits, however many receipts there are. */
export class ReceiptEvidence {
  readonly #commits: ReadonlyMap<string, CommitObject>;
  /** By commit of the base before. */
  readonly #allowed: ReadonlyMap<string, AllowedSigners>;

  private constructor(
    commits: ReadonlyMap<string, CommitObject>,
    allowed: ReadonlyMap<string, AllowedSigners>,
  ) {
    this.#commits = commits;
    this.#allowed = allowed;
  }

  static async read(repo: string, receipts: readonly ReadReceipt[]): Promise<ReceiptEvidence> {
    const said = receipts.map(({ statement }) => statement.predicate);
    const bases = [...new Set(said.map(({ base }) => base.before))];
    const listed = said.flatMap(({ commits, head }) => [...commits.map(({ sha }) => sha), head]);
    const shas = [...new Set([...bases, ...listed])];
    const [objects, lists] = await Promise.all([
      readObjects(repo, shas),
      readObjects(
        repo,
        bases.map((base) => `${base}:${ALLOWED_SIGNERS}`),
      ),
    ]);
    const commits = new Map<string, CommitObject>();
    for (const [at, sha] of shas.entries()) {
      const object = objects[at];
      if (object != null) commits.set(sha, readCommitObject(object));
    }
    // Bases differ and their lists of signers hardly do.
    const known = new Map<string, AllowedSigners>();
    const allowed = bases.map((base, at): [string, AllowedSigners] => {
      const text = lists[at]?.toString("utf8") ?? "";
      const signers = known.get(text) ?? allowedSigners(text);
      known.set(text, signers);
      return [base, signers];
    });
    return new ReceiptEvidence(commits, new Map(allowed));
  }

  async of({ parents, payload, signature, statement }: ReadReceipt): Promise<ReceiptFacts> {
    const { base, commits, at } = statement.predicate;
    const allowed = this.#allowed.get(base.before) ?? allowedSigners("");
    const shown = new Map<string, ShownSignature>();
    for (const { sha } of commits) {
      const commit = this.#commits.get(sha);
      if (commit !== undefined) shown.set(sha, await commitSignature(commit, allowed));
    }
    return {
      parents,
      signature: await receiptSignature(payload, signature, { allowed, at: new Date(at) }),
      commit: (sha) => this.#commits.get(sha),
      commitSignature: (sha) => shown.get(sha) ?? { kind: "bad" },
    };
  }
}

async function receiptSignature(
  payload: Buffer | null,
  signature: Buffer | null,
  signers: { readonly allowed: AllowedSigners; readonly at: Date },
): Promise<ReceiptSignature> {
  if (payload === null || signature === null) return { kind: "none" };
  const key = await keyThatSigned(preAuthEncoding(payload), signature.toString("latin1"), RECEIPT_NAMESPACE);
  if (key === null) return { kind: "bad" };
  const { publicKey, fingerprint } = key;
  const signer = receiptSigner(publicKey, signers);
  return signer === null ? { kind: "unknown", fingerprint } : { kind: "good", fingerprint, signer };
}

async function commitSignature(
  { signature, signed }: CommitObject,
  allowed: AllowedSigners,
): Promise<ShownSignature> {
  if (signature === null) return { kind: "none" };
  if (!signature.startsWith("-----BEGIN SSH SIGNATURE-----")) return { kind: "foreign" };
  const key = await keyThatSigned(signed, signature, GIT_NAMESPACE);
  if (key === null) return { kind: "bad" };
  const { publicKey, fingerprint } = key;
  return { kind: "good", fingerprint, allowed: isAllowed(publicKey, allowed) };
}

/** A certificate is allowed by the authority behind it, which this does not look for. */
function isAllowed(publicKey: string, allowed: AllowedSigners): boolean {
  return (
    linesNaming(publicKey, allowed).some(countsForGit) ||
    (/-cert-v\d+@/.test(publicKey) && allowed.signers.some(({ certAuthority }) => certAuthority))
  );
}
