import type { Candidate } from "../../../ports/repo.js";
import type { Signer } from "../../../ports/signer.js";
import type { Identity } from "../exec/open-repo.js";
import { readCommits } from "../exec/read-commits.js";
import { writeCommit } from "../exec/write-commit.js";

export interface SquashFacts {
  readonly message: string;
  readonly identity: Identity;
  readonly signer: Signer | null;
}

/** One commit that does what all of them do, by the author of the first and at its date. */
export async function squashCommits(
  repo: string,
  candidate: Candidate,
  { message, identity, signer }: SquashFacts,
): Promise<string> {
  const first = (await readCommits(repo, candidate))?.[0];
  if (first === undefined) throw new Error(`nothing to squash in ${candidate.base}..${candidate.head}`);
  const { author } = first;
  const tree = `${candidate.head}^{tree}`;
  const same = { tree, parent: candidate.base, committer: identity, message, encoding: "", signer };
  const written =
    (await writeCommit(repo, { ...same, author })) ??
    // An author without a name, which git would not write again.
    (await writeCommit(repo, { ...same, author: { ...author, ...identity } }));
  if (written === null) throw new Error(`git takes neither author of ${first.sha}`);
  return written;
}
