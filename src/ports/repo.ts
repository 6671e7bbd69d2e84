import type { CheckoutObstacle } from "../core/land/checkout-obstacle.js";
import type { CommitSignature } from "../core/land/commit-signature.js";
import type { RangeContent } from "../core/land/content/range-content.js";
import type { FoundSecret } from "../core/land/secret-scan.js";

export interface Base {
  readonly branch: string;
  readonly tip: string;
  /** Newest receipt of a landing that the remote has; null when it has none. */
  readonly receipts: string | null;
  /** Where the checkout itself is what lands: the other branch that is checked out in it. */
  readonly elsewhere?: string;
}

/** What is to land: the commits after `base`, up to `head`. None of them is on the default branch. */
export interface Candidate {
  readonly base: string;
  readonly head: string;
}

export interface RangeCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly subject: string;
  readonly authorEmail: string;
  readonly committerEmail: string;
}

export interface RangeFacts {
  /** How many commits there are. */
  readonly total: number;
  /** Oldest first; empty when there are too many to be looked at, which is a finding. */
  readonly commits: readonly RangeCommit[];
  /** Every path that any of the commits touches, both names of a renamed file. */
  readonly paths: readonly string[];
  /** What landing cannot handle: merges, submodules, LFS pointers; each named. */
  readonly findings: readonly string[];
  /** What any of the commits adds that has the shape of a secret. */
  readonly secrets: readonly FoundSecret[];
  /** What the commits do beside changing text. */
  readonly content: RangeContent;
  /** The commits together change nothing. */
  readonly empty: boolean;
  /** Of the last commit. */
  readonly tree: string;
}

export type Rebased =
  | { readonly kind: "rebased"; readonly head: string }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  /** Replaying would drop the merges, and with them whatever was decided in them. */
  | { readonly kind: "merges" };

export type BasePush =
  | { readonly kind: "pushed" }
  /** The branch is not at `from` any more. */
  | { readonly kind: "moved" }
  | { readonly kind: "refused"; readonly why: string };

/** A branch of koryph's own on the remote. */
export interface BranchMove {
  readonly branch: string;
  /** Where it may be: what koryph put there before. Where it is not there at all, it is made. */
  readonly from: readonly string[];
  readonly to: string;
}

export type BranchPush =
  | { readonly kind: "pushed" }
  /** Somebody else put a commit there. */
  | { readonly kind: "taken"; readonly at: string }
  | { readonly kind: "refused"; readonly why: string };

/** The engine's own repository, where work is signed, rebased and landed. All verbs may be repeated. */
export interface Repo {
  /**
   * `remote`: base and ledger are moved by one atomic push. `checkout`: the repository has no remote, so its own
   * checkout is moved, alone.
   */
  readonly target: "remote" | "checkout";
  /** The folder that holds the objects of everything that is to land. */
  readonly objects: string;
  /** Brings in the remote's default branch. Throws a `UserError` when the remote cannot be reached. */
  fetchBase(): Promise<Base>;
  /** What the bead's agent made on top of what its clone began with; null when there is no commit. */
  candidate(bead: string): Promise<Candidate | null>;
  /** Uncommitted changes in the bead's clone; false when there is no clone. */
  isDirty(bead: string): Promise<boolean>;
  /**
   * Signs the commits that agents made and nobody signed, author and message kept; the head it returns is the
   * given one when there is nothing to sign. A person's commit is never rewritten: where one stands on top of
   * an unsigned one, all stay as they are.
   */
  sign(bead: string, candidate: Candidate): Promise<Candidate>;
  range(candidate: Candidate): Promise<RangeFacts>;
  /** Judged by `.allowed_signers` as `base` has it, oldest commit first. */
  signatures(base: string, candidate: Candidate): Promise<readonly CommitSignature[]>;
  /** Whether a commit is here: what was signed or replayed on another machine may not be. */
  has(commit: string): Promise<boolean>;
  /** Which of the paths a commit has, as files or folders. */
  present(commit: string, paths: readonly string[]): Promise<readonly string[]>;
  isAncestor(ancestor: string, commit: string): Promise<boolean>;
  /** Replays the candidate's commits onto `onto`, signed where there is a key. */
  rebase(bead: string, candidate: Candidate, onto: string): Promise<Rebased>;
  /** One commit on `candidate.base` with the tree of `candidate.head`; author and date of its first commit. */
  squash(bead: string, candidate: Candidate, message: string): Promise<string>;
  /** Keeps a commit from being collected as garbage, until the bead is dropped. */
  keep(bead: string, head: string): Promise<void>;
  /**
   * What keeps the operator's checkout from taking these commits as it stands. Null when nothing is in the way, and
   * where there is a remote.
   */
  checkoutObstacle(branch: string, candidate: Candidate): Promise<CheckoutObstacle | null>;
  /** Moves the default branch alone, and only from `from`. Never forces. */
  pushBase(move: { readonly branch: string; readonly from: string; readonly to: string }): Promise<BasePush>;
  /** Puts a branch of koryph's own on the remote; never over what somebody else put there. */
  pushBranch(move: BranchMove): Promise<BranchPush>;
  /** A clean checkout of a commit in a folder of its own, with a git repository that leads nowhere. */
  checkOut(name: string, head: string): Promise<string>;
  dropCheckout(name: string): Promise<void>;
  /** The change as a person reads it, for reviewers: list of files with their counts, and the text up to a size. */
  describe(
    candidate: Candidate,
    mostCharacters: number,
  ): Promise<{ readonly stat: string; readonly diff: string }>;
  /** Whether the bead's branch on this machine is at the commit: nothing but its clone here puts anything there. */
  isBranchAt(bead: string, head: string): Promise<boolean>;
  /** Whether the bead has a clone on this machine. */
  hasClone(bead: string): Promise<boolean>;
  /**
   * After the landing of what was made of `from`: clone, branch, kept commits and saved work of the bead go. All of it
   * stays where there are other commits by now, and a dirty clone stays; null asks no questions about commits.
   */
  drop(bead: string, from: string | null): Promise<void>;
}
