/** An approval of one head that counts for another: koryph's own rebase of the approved commits. */
export interface CarriedApproval {
  readonly approved: string;
  readonly head: string;
  /** A commit of the base branch that `head` was put on, or one after it; not `head` itself. */
  readonly base: string;
}

/** The commits of both heads side by side, for people to look at. Nothing is decided by it. */
export interface CarriedCommits {
  /** The commits that each head's own begin after. */
  readonly approvedOn: string;
  readonly headOn: string;
  /** What `git range-diff` says of them; null where it would take files that are not here, or too long. */
  readonly rangeDiff: string | null;
}

/** What a reader sees of a commit, apart from where it stands and who signed it. */
export interface ReplayedCommit {
  readonly tree: string;
  /** Name, address and date, in one line. */
  readonly author: string;
  readonly encoding: string;
  readonly message: string;
}

/**
 * Whether an approval of some commits holds for others: `replayed` is what replaying the approved ones on the new base
 * gives, `found` what is on the branch there. Each has to be the same in all that was approved. A diff of the two would
 * not do: it leaves out what is binary, or marked so.
 */
export function isSameWork(replayed: readonly ReplayedCommit[], found: readonly ReplayedCommit[]): boolean {
  return (
    replayed.length > 0 &&
    replayed.length === found.length &&
    replayed.every((commit, at) => JSON.stringify(partsOf(commit)) === JSON.stringify(partsOf(found[at])))
  );
}

function partsOf(commit: ReplayedCommit | undefined): readonly string[] {
  return commit === undefined ? [] : [commit.tree, commit.author, commit.encoding, commit.message];
}
