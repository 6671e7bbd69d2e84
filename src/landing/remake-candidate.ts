import type { Candidate, Repo } from "../ports/repo.js";

/**
 * The candidate of a bead that was accepted on another machine, made here from the same commits of the agents'; null
 * when those are not to be had, or others are in their place, which nobody has accepted.
 */
export async function remakeCandidate(
  repo: Repo,
  bead: string,
  accepted: { readonly from: string; readonly base: string } | null,
): Promise<Candidate | null> {
  const made = await repo.candidate(bead);
  if (made === null || made.head !== accepted?.from) return null;
  // What was taken off the default branch since then must not come back as part of the bead's work.
  const base = (await repo.isAncestor(accepted.base, made.head)) ? accepted.base : made.base;
  return repo.sign(bead, { ...made, base });
}
