import type { Person } from "./count-approvals.js";

/** A review as GitHub lists it, with what became of it. */
export interface ListedReview {
  readonly id: number;
  /** `type` as GitHub names it: `User`, `Bot` and others. */
  readonly by: Person & { readonly type: string };
  readonly state: "approved" | "changes-requested" | "dismissed" | "commented" | "pending";
  /** GitHub moves it along with the branch, so it proves nothing by itself. */
  readonly head: string;
  readonly submittedAt: string;
  readonly body: string;
  readonly url: string;
}

/** A review that says yes or no, or whose word was taken back. */
export type LastVerdict = ListedReview & {
  readonly state: "approved" | "changes-requested" | "dismissed";
};

/**
 * What each person said last, by account; remarks do not count, as on GitHub, which leaves earlier reviews of a person as
 * they were.
 */
export function lastVerdicts(listed: readonly ListedReview[]): ReadonlyMap<number, LastVerdict> {
  const last = new Map<number, LastVerdict>();
  for (const review of listed) {
    if (!isVerdict(review) || review.by.type !== "User") continue;
    // The newest stand last, whoever they are of.
    last.delete(review.by.id);
    last.set(review.by.id, review);
  }
  return last;
}

function isVerdict(review: ListedReview): review is LastVerdict {
  return review.state !== "commented" && review.state !== "pending";
}
