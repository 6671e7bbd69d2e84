import { createHash } from "node:crypto";
import { hex } from "../../comments/signed-event.js";
import type { ReviewJob } from "../../core/model/review-job.js";
import { type ReviewParts, recordReview, recordReviews } from "../../pulls/approvals/record-review.js";
import type { InstalledPlace, PullPlace, PullPlaces } from "./pull-places.js";

/** Brings a review that a webhook told of into the ledger. */
export async function handleReview(places: PullPlaces, job: ReviewJob | null): Promise<void> {
  if (job === null) return;
  await places.where(job, async (found) => {
    const parts = reviewParts(found, job);
    if (parts !== null) await recordReview(parts, job);
  });
}

/** The same for reviews of a pull request that nobody told of. */
export async function lookForReviews(places: PullPlaces, at: InstalledPlace, pull: number): Promise<void> {
  await places.where(at, async (found) => {
    const parts = reviewParts(found, at);
    if (parts !== null) await recordReviews(parts, pull);
  });
}

/** Null where there is no ledger to bring them into. */
function reviewParts(
  { opened, pulls, record, threads }: PullPlace,
  { repository: { fullName: repository } }: InstalledPlace,
): ReviewParts | null {
  if (opened.kind === "refuse") return null;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return { ledger: opened.ledger, pulls, record, threads, repository, digest, hex };
}
