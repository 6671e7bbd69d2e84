import type { BranchActivity } from "../core/land/pull/bind-head.js";
import type { Person } from "../core/land/pull/count-approvals.js";
import type { PullVerdict } from "../core/land/pull/last-verdicts.js";
import type { PullFacts } from "./pulls.js";

/** A commit of a pull request with the accounts that GitHub knows its people by; null for an address of nobody. */
export interface PeopledCommit {
  readonly sha: string;
  readonly author: Person | null;
  readonly committer: Person | null;
  readonly message: string;
}

/** What GitHub itself has on record of a pull request: who made it, when, and who said what. */
export interface PullRecord {
  /** Null when there are more than GitHub lists. */
  commits(pull: number): Promise<readonly PeopledCommit[] | null>;
  /** What happened to the pull request's branch, newest first; null when nobody tells, as of a private fork. */
  activity(pull: PullFacts): Promise<readonly BranchActivity[] | null>;
  /** Whether one commit is part of the history of another, according to GitHub. */
  contains(base: string, commit: string): Promise<boolean>;
  /** All reviews that give a verdict, oldest first; null when there are more than koryph reads. */
  verdicts(pull: number): Promise<readonly PullVerdict[] | null>;
  /** How many conversations are not resolved. */
  openThreads(pull: number): Promise<number>;
  /** A file as a commit or branch has it; null when it is not there. */
  fileAt(path: string, ref: string): Promise<string | null>;
}
