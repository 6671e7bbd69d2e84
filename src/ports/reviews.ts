import type { Person } from "../core/land/pull/count-approvals.js";
import type { ReviewThread } from "../core/review/pull/known-thread.js";

/** A comment on a line of the change, as the change leaves the file. */
interface DraftComment {
  readonly path: string;
  readonly line: number;
  readonly body: string;
}

/** A review that is about to be posted. */
export interface ReviewDraft {
  readonly event: "comment" | "approve";
  /** The commit it is about, and no other. */
  readonly head: string;
  /** Its first line tells it from every other review of the same pull request; an approval needs none. */
  readonly body: string;
  readonly comments: readonly DraftComment[];
}

/** A review as GitHub has it. */
export interface SubmittedReview {
  readonly id: number;
  readonly url: string;
  readonly body: string;
  readonly submittedAt: string;
}

export type Submitted =
  | ({ readonly kind: "posted" } & SubmittedReview)
  /** GitHub finds no place for at least one of the comments, and has taken none. */
  | { readonly kind: "misplaced" }
  /** GitHub will have none of it, in its own words. */
  | { readonly kind: "refused"; readonly why: string };

/** What earlier analyses left on a pull request. Only what somebody wrote whom the repository trusts. */
export interface EarlierReviews {
  readonly threads: readonly ReviewThread[];
  readonly bodies: readonly string[];
}

/** Reviews of one repository's pull requests, by whoever the token belongs to. */
export interface Reviews {
  /** Who that is. */
  viewer(): Promise<Person>;
  earlier(pull: number): Promise<EarlierReviews>;
  /** The address of a review whose text begins with this line, by somebody whom the repository trusts; null without one. */
  find(pull: number, firstLine: string): Promise<string | null>;
  /** A repeat after an answer that got lost posts nothing twice. */
  submit(pull: number, draft: ReviewDraft): Promise<Submitted>;
  /** The comment has this text afterwards; false where it is gone or may not be changed. */
  edit(comment: number, body: string): Promise<boolean>;
  /** Resolved afterwards; false where that is not allowed. */
  resolve(thread: string): Promise<boolean>;
  /** Whoever wrote or committed one of its commits, as far as GitHub knows them; null when it has too many to be listed. */
  committers(pull: number): Promise<readonly string[] | null>;
  /** Says something in the conversation, outside any review. */
  say(pull: number, body: string): Promise<void>;
}
