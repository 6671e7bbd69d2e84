import type { Candidate } from "../../../ports/repo.js";
import type { Signer } from "../../../ports/signer.js";
import type { Identity } from "../exec/open-repo.js";
import { readCommits } from "../exec/read-commits.js";
import { writeCommit } from "../exec/write-commit.js";

export interface SignReplayedFacts {
  readonly identity: Identity;
  readonly signer: Signer | null;
  /** Which of the commits are signed, oldest first. */
  readonly signed: readonly boolean[];
}

/** Replayed commits from their own trees, signed where they are to be; null when they are not as many, or no line. */
export async function signReplayed(
  repo: string,
  candidate: Candidate,
  { identity: committer, signer, signed }: SignReplayedFacts,
): Promise<string | null> {
  const commits = (await readCommits(repo, candidate)) ?? [];
  if (commits.length === 0 || commits.length !== signed.length) return null;
  let [parent, before] = [candidate.base, candidate.base];
  for (const [at, { sha, parents, tree, author, message, encoding }] of commits.entries()) {
    if (parents.length !== 1 || parents[0] !== before) return null;
    const facts = { tree, parent, author, committer, message, encoding };
    const next = await writeCommit(repo, { ...facts, signer: signed[at] === true ? signer : null });
    if (next === null) return null;
    [parent, before] = [next, sha];
  }
  return parent;
}
