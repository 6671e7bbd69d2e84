import type { CommitSignature } from "../../core/land/commit-signature.js";
import { plainSigners } from "../../core/sign/plain-signers.js";
import { lineOfCommits } from "../git/exec/stored-commits.js";
import { readCommitObject } from "./commit-object.js";
import { ed25519KeyThatSigned } from "./ssh-signature.js";

/**
 * The headers git writes, in its order, with one signature: no other commit is judged here. Where names are SHA-256, git
 * takes its signature from another header; and what it cannot read of a committer's time is a bad signature to it.
 */
const SIGNED =
  /^tree [0-9a-f]{40}\n(?:parent [0-9a-f]{40}\n)*author [^\n]*\ncommitter [^<>\n]*<[^<>\n]*> \d{1,10} [+-]\d{4}\n(?:encoding [^\n]*\n)?gpgsig -----BEGIN SSH SIGNATURE-----\n(?: [^\n]*\n)+\n/;
const COMMITS = "git";

/**
 * What git and ssh-keygen say of the commits of a range where all of them are good beyond doubt: made with ed25519 keys
 * that the list of signers plainly names. Null for all else, so that whatever is wrong with a signature is ssh-keygen's word.
 * Git would start two processes for each commit, which is most of what a landing takes.
 */
export async function plainlyGood(
  repo: string,
  allowed: string,
  range: { readonly base: string; readonly head: string },
): Promise<readonly CommitSignature[] | null> {
  const signers = plainSigners(allowed);
  if (signers.size === 0) return null;
  const commits = await lineOfCommits(repo, range);
  if (commits === null) return null;
  const found: CommitSignature[] = [];
  for (const { sha, bytes } of commits) {
    if (bytes.includes(0) || !SIGNED.test(bytes.toString("latin1"))) return null;
    const { signature, signed } = readCommitObject(bytes);
    const key = signature === null ? null : ed25519KeyThatSigned(signed, signature, COMMITS);
    const signer = key === null ? undefined : signers.get(key.publicKey);
    if (key === null || signer === undefined) return null;
    found.push({ sha, letter: "G", signer, fingerprint: key.fingerprint });
  }
  return found;
}
