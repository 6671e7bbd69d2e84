import { type Commit, listShas, readStoredCommits } from "../git/world-commits.js";
import { fullName } from "../render/repository.js";
import { type Move, NOTHING } from "../world/rules/move.js";
import type { Repository, User } from "../world/state.js";
import type { World } from "../world/world.js";
import { emailOwner } from "./emails.js";
import { isSignedBy, readSshSignature } from "./ssh-signature.js";

/** GitHub's words for how a signature stands. */
type SignatureReason =
  | "valid"
  | "unsigned"
  | "unknown_signature_type"
  | "malformed_signature"
  | "no_user"
  | "unverified_email"
  | "unknown_key"
  | "bad_email"
  | "invalid";

export interface Verification {
  readonly reason: SignatureReason;
  /** When GitHub first found it good; it stays good for all forks, also when the key is taken back later. */
  readonly verifiedAt: string | null;
  /** Whose key it is; null for a key that is nobody's. */
  readonly signer: User | null;
}

/** How a commit's signature stands, as GitHub says it. */
export function verificationOf(world: World, repository: Repository, commit: Commit): Verification {
  const { verified } = networkRoot(world, repository);
  const known = verified[commit.sha];
  const signer = signerOf(world, commit);
  if (known !== undefined) return { reason: "valid", verifiedAt: known, signer };
  const reason = judgeSignature(world, commit, signer);
  if (reason !== "valid") return { reason, verifiedAt: null, signer };
  verified[commit.sha] = world.timestamp();
  return { reason, verifiedAt: verified[commit.sha] ?? null, signer };
}

/** GitHub looks when a commit comes in, not when somebody asks. */
export async function verifyPushed(
  world: World,
  repository: Repository,
  moves: readonly Move[],
): Promise<void> {
  if (!world.state.users.some(({ signingKeys = [] }) => signingKeys.length > 0)) return;
  for (const { ref, before, after } of moves) {
    if (after === NOTHING || !ref.startsWith("refs/heads/")) continue;
    const range =
      before === NOTHING ? [after, "--not", `--exclude=${ref}`, "--all"] : [`${before}..${after}`];
    const shas = await listShas(world, repository, range);
    for (const commit of await readStoredCommits(repository, shas)) verificationOf(world, repository, commit);
  }
}

/** A repository and all its forks share what was found. */
function networkRoot(world: World, repository: Repository): Repository {
  const root = repository.forkOf === undefined ? null : world.repository(repository.forkOf);
  return root === null || fullName(root) === fullName(repository) ? repository : root;
}

function signerOf({ state }: World, { signature }: Commit): User | null {
  const key = readSshSignature(signature)?.publicKey;
  return state.users.find(({ signingKeys = [] }) => key !== undefined && signingKeys.includes(key)) ?? null;
}

/** The sandbox knows nobody's PGP keys. */
function judgeSignature(world: World, commit: Commit, signer: User | null): SignatureReason {
  const { signature, payload, committer } = commit;
  if (signature === "") return "unsigned";
  if (signature.startsWith("-----BEGIN PGP")) return "unknown_key";
  if (!signature.startsWith("-----BEGIN SSH")) return "unknown_signature_type";
  const read = readSshSignature(signature);
  if (read === null) return "malformed_signature";
  const owner = emailOwner(world, committer.email);
  if (owner === null) return "no_user";
  if (!owner.verified) return "unverified_email";
  if (signer === null) return "unknown_key";
  if (signer.login !== owner.user.login) return "bad_email";
  return read.namespace === "git" && isSignedBy(read, payload) ? "valid" : "invalid";
}
