/** An issue or a pull request: where people talk. */
export interface Thread {
  /** `owner/name`. */
  readonly repository: string;
  readonly number: number;
  readonly kind: "issue" | "pull";
}

/** What somebody wrote on a thread: a comment, the text of a review, or a comment on a line. */
export interface CommentRef {
  readonly kind: "comment" | "review" | "review-comment";
  readonly id: number;
  /** The thread it stands on. */
  readonly thread: Thread;
}

/** Jobs of one thread are done in the order they came; this names it. */
export function threadKey({ repository, number }: Thread): string {
  return `${repository.toLowerCase()}#${number}`;
}
