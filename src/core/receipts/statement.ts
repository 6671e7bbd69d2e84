import { z } from "zod";
import { SIGNATURE_LETTERS } from "../land/commit-signature.js";
import { LandingClaims } from "./landing-claims.js";

/** The form of the whole, which is in-toto's, and of what is inside it, which is ours. */
const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
export const PREDICATE_TYPE = "urn:koryph:landing:v1";

/** A commit or a tree, whatever hash the repository uses. */
const Sha = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** A commit that landed, and what its signature was worth when it did. */
const LandedCommit = z.strictObject({
  sha: Sha,
  /** As git's `%G?` has it. */
  signature: z.enum(SIGNATURE_LETTERS),
  /** Who signed it according to the base branch; empty when it names nobody. */
  signer: z.string(),
  /** `SHA256:…` of the key; empty without a signature that koryph can read. */
  fingerprint: z.string(),
});
export type LandedCommit = z.infer<typeof LandedCommit>;

/** What landed, as the repository shows it, and for whom. */
const LandedWork = z.strictObject({
  branch: z.string(),
  /** The ledger's event that asked for it. */
  landing: z.string(),
  bead: z.strictObject({ id: z.string(), title: z.string() }),
  run: z.string(),
  requested_by: z.strictObject({ kind: z.enum(["engine", "operator"]), actor: z.string() }),
  base: z.strictObject({ before: Sha, after: Sha }),
  head: Sha,
  tree: Sha,
  /** Oldest first: everything that `base.after` has and `base.before` has not. */
  commits: z.array(LandedCommit),
});
export type LandedWork = z.infer<typeof LandedWork>;

/** Where and by which koryph it was landed. */
const LandedWhere = z.strictObject({
  project: z.string(),
  /** The remote's address without credentials; null where there is none that others could use. */
  repository: z.string().nullable(),
  koryph: z.string(),
});
export type LandedWhere = z.infer<typeof LandedWhere>;

/** The receipt's own place in the chain. */
const ReceiptPlace = z.strictObject({
  /** When it was written. */
  at: z.iso.datetime(),
  /** Written after a crash, by somebody who found the landing on the branch. */
  recovered: z.boolean(),
  /** The receipt before; null for the first. */
  previous: Sha.nullable(),
});
export type ReceiptPlace = z.infer<typeof ReceiptPlace>;

const Predicate = z.strictObject({
  ...LandedWork.shape,
  ...LandingClaims.unwrap().shape,
  ...LandedWhere.shape,
  ...ReceiptPlace.shape,
});

/** An in-toto statement. Strict: what this koryph does not know it cannot vouch for. */
export const ReceiptStatement = z.strictObject({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.tuple([
    z.strictObject({ name: z.string(), digest: z.strictObject({ gitCommit: Sha, gitTree: Sha }) }),
  ]),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: Predicate,
});
export type ReceiptStatement = z.infer<typeof ReceiptStatement>;

/** The statement about a landing. */
export function receiptStatement(
  facts: LandedWork & LandingClaims & LandedWhere & ReceiptPlace,
): ReceiptStatement {
  const { branch, head, tree } = facts;
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: `refs/heads/${branch}`, digest: { gitCommit: head, gitTree: tree } }],
    predicateType: PREDICATE_TYPE,
    predicate: Predicate.parse(facts),
  };
}
