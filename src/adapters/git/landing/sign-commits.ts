import type { Candidate } from "../../../ports/repo.js";
import type { Signer } from "../../../ports/signer.js";
import type { Identity } from "../exec/open-repo.js";
import { readCommits, type WholeCommit } from "../exec/read-commits.js";
import { writeCommit } from "../exec/write-commit.js";

export interface SignFacts {
  readonly signer: Signer;
  readonly identity: Identity;
  /** Whose commits are signed. */
  readonly agentEmail: string;
}

/**
 * What `rebase --force-rebase -S` does, from the first unsigned commit of an agent on. The commits are written
 * from their own trees instead of being replayed: a rebase turns every message into UTF-8, and this one may
 * not change a byte. The candidate comes back as it was when anything in it cannot be kept so.
 */
export async function signCommits(repo: string, candidate: Candidate, facts: SignFacts): Promise<Candidate> {
  const commits = (await readCommits(repo, candidate)) ?? [];
  const mine = (commit: WholeCommit) =>
    commit.complete && commit.committer.email === facts.agentEmail && commit.parents.length === 1;
  const first = commits.findIndex(mine);
  const wanted = commits.slice(first);
  if (first < 0 || !wanted.every(mine) || !isLine(wanted)) return candidate;
  let parent = wanted[0]?.parents[0] ?? candidate.base;
  const begin = parent;
  for (const { tree, author, message, encoding } of wanted) {
    const { signer, identity: committer } = facts;
    const next = await writeCommit(repo, { tree, parent, author, committer, message, encoding, signer });
    if (next === null) return candidate;
    parent = next;
  }
  const written = await readCommits(repo, { base: begin, head: parent });
  const kept = written?.length === wanted.length && written.every((commit, at) => isSame(commit, wanted[at]));
  return kept ? { base: candidate.base, head: parent } : candidate;
}

/** Commits that hang together one by one, so that a new parent for each is the one written before it. */
function isLine(commits: readonly WholeCommit[]): boolean {
  return commits.every(({ parents }, at) => at === 0 || parents[0] === commits[at - 1]?.sha);
}

function isSame(written: WholeCommit, wanted: WholeCommit | undefined): boolean {
  const words = ({ tree, author, encoding, message }: WholeCommit) =>
    JSON.stringify([tree, author.name, author.email, author.date, encoding, message]);
  return wanted !== undefined && words(written) === words(wanted);
}
