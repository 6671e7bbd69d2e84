/** An issue of the repository, as far as a bead is made of it. */
export interface IssueRecord {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly isClosed: boolean;
  /** GitHub lists pull requests among the issues: they can block, and are no work of their own. */
  readonly isPull: boolean;
  readonly labels: readonly string[];
  /** The name of its type, as the organisation calls it; null where it has none. */
  readonly type: string | null;
  /** The number of the issue that it is a part of; null for none, and for one of another repository. */
  readonly parent: number | null;
  readonly hasParts: boolean;
  /** What GitHub says it waits for. */
  readonly blockedBy: readonly IssueReference[];
}

/** An issue or pull request, here or elsewhere. */
export interface IssueReference {
  /** `owner/name`, or null for this repository. */
  readonly repository: string | null;
  readonly number: number;
}
