import { ulidTime } from "../../../lib/ulid.js";
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

/** A review that gives or takes back an approval. */
export type DecidingReview = ListedReview & {
  readonly state: "approved" | "changes-requested" | "dismissed";
};

/** An approval on record: which event gave it, and what was said on GitHub. */
export interface ApprovalOnRecord {
  readonly id: string;
  readonly evidence: { readonly user_id: number; readonly source: string };
}

/**
 * The reviews that the record lacks, oldest first as they are listed. Of each person the last word counts, as on GitHub;
 * a comment that approved after it is a later word.
 */
export function chooseReviews(
  listed: readonly ListedReview[],
  recorded: readonly ApprovalOnRecord[],
): readonly DecidingReview[] {
  const last = new Map<number, DecidingReview>();
  for (const review of listed) if (isDeciding(review)) last.set(review.by.id, review);
  return [...last.values()].filter((review) =>
    isOwed(
      review,
      recorded.find(({ evidence }) => evidence.user_id === review.by.id),
    ),
  );
}

function isOwed(review: DecidingReview, given: ApprovalOnRecord | undefined): boolean {
  const isSource = given?.evidence.source === `review ${review.id}`;
  switch (review.state) {
    case "approved":
      return given === undefined || (!isSource && isLater(review, given));
    case "changes-requested":
      return given !== undefined && isLater(review, given);
    case "dismissed":
      return isSource;
  }
}

function isDeciding(review: ListedReview): review is DecidingReview {
  return review.state !== "commented" && review.state !== "pending";
}

/** Written after what gave the approval. GitHub's times are whole seconds, so the same second is not earlier. */
function isLater({ submittedAt }: ListedReview, { id }: ApprovalOnRecord): boolean {
  const given = ulidTime(id);
  return Number.isNaN(given) || Date.parse(submittedAt) >= given;
}
