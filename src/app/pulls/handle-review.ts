import { createHash } from "node:crypto";
import { hex } from "../../comments/signed-event.js";
import type { ReviewJob } from "../../core/model/review-job.js";
import { recordReview } from "../../pulls/approvals/record-review.js";
import type { PullPlaces } from "./pull-places.js";

/** Brings a review that a webhook told of into the ledger. */
export async function handleReview(places: PullPlaces, job: ReviewJob | null): Promise<void> {
  if (job === null) return;
  await places.where(job, async ({ threads, opened, pulls, record }) => {
    if (opened.kind === "refuse") return;
    const digest = (text: string) => createHash("sha256").update(text).digest();
    const { fullName: repository } = job.repository;
    await recordReview({ ledger: opened.ledger, pulls, record, threads, repository, digest, hex }, job);
  });
}
