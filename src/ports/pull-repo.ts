import type { CommitSignature } from "../core/land/commit-signature.js";
import type { CarriedApproval, CarriedCommits } from "../core/land/pull/carry-approval.js";
import type { PullCommit } from "../core/land/pull/pull-land-facts.js";
import type { Candidate, Rebased } from "./repo.js";

export interface PullRefs {
  /** The tip of the base branch. */
  readonly base: string;
  /** Where the pull request's branch is; null when it is gone. */
  readonly head: string | null;
  /** The newest receipt; null while there is none. */
  readonly receipts: string | null;
  /** Why git did not take in the pull request's objects; null where it did. */
  readonly unfit: string | null;
}

export interface PullRange {
  /** How many commits there are. */
  readonly total: number;
  /** Oldest first; empty when there are too many to be looked at. */
  readonly commits: readonly PullCommit[];
  /** Every path that any of the commits touches. */
  readonly paths: readonly string[];
  /** What landing cannot handle, each named. */
  readonly findings: readonly string[];
  /** The commits together change nothing. */
  readonly empty: boolean;
  /** The tree of the last commit. */
  readonly tree: string;
}

export type PullPush = "pushed" | "moved" | { readonly refused: string };

/** A repository's commits and trees, as far as landing a pull request needs them. All verbs may be repeated. */
export interface PullRepo {
  /** The folder that holds the objects of what is to land. */
  readonly objects: string;
  /** Brings in the base branch and the pull request's head as they are now. */
  fetch(
    base: string,
    pull: { readonly number: number; readonly branch: string; readonly fork: boolean },
  ): Promise<PullRefs>;
  has(commit: string): Promise<boolean>;
  isAncestor(ancestor: string, commit: string): Promise<boolean>;
  range(candidate: Candidate): Promise<PullRange>;
  /** Judged by the given text of `.allowed_signers`, oldest commit first. */
  signatures(allowed: string, candidate: Candidate): Promise<readonly CommitSignature[]>;
  /** Brings in what a push of these commits has to send. */
  complete(candidate: Candidate): Promise<void>;
  /** Replays the commits after the two's last common one onto `onto`, signed where there is a key. */
  rebase(pull: number, head: string, onto: string): Promise<Rebased>;
  /** Whether `found` is what replaying the commits of `head` on the same base gives, commit by commit. */
  isReplay(pull: number, head: string, found: string, base: string): Promise<boolean>;
  /** The commits of both heads, for show; null where they are not here. Nothing is fetched for it. */
  compare(carried: CarriedApproval): Promise<CarriedCommits | null>;
  /** One commit on `candidate.base` with the tree of `candidate.head`; author and date of its first commit. */
  squash(candidate: Candidate, message: string): Promise<string>;
  /** Whether `found` is one commit with the tree that replaying the commits of `head` on the same base gives. */
  isSquash(pull: number, head: string, found: string, base: string): Promise<boolean>;
  /**
   * The commits of `candidate`, which follow one another on its base, written anew: signed where `signed` says so, oldest
   * first. Null where there are more or fewer of them, or one that cannot be written so.
   */
  signReplayed(candidate: Candidate, signed: readonly boolean[]): Promise<string | null>;
  /** What a runner has left for a job, brought in; null when there is nothing. */
  fetchJob(job: string): Promise<string | null>;
  /** Leaves commits for whoever asked for the job, and touches nothing else. */
  pushJob(job: string, candidate: Candidate): Promise<PullPush>;
  /** Removes what was left for all jobs but these. */
  dropJobs(kept: ReadonlySet<string>): Promise<void>;
  /** Moves a branch of the repository itself, and only from `from`. */
  pushBranch(branch: string, move: { readonly from: string; readonly to: string }): Promise<PullPush>;
  /** Moves the base branch alone, and only from `from`; never forces. */
  pushBase(branch: string, move: { readonly from: string; readonly to: string }): Promise<PullPush>;
}
