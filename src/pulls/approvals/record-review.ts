import { includesRole } from "../../core/commands/roles.js";
import { VERBS } from "../../core/commands/verbs.js";
import type { LeftReview } from "../../core/land/pull/decide-approval.js";
import { beadOfBranch } from "../../core/model/pull.js";
import type { ReviewJob } from "../../core/model/review-job.js";
import type { Evidence } from "../../core/run/ledger/evidence.js";
import type { NewEvent } from "../../core/run/ledger/ledger-event.js";
import type { LedgerState } from "../../core/run/ledger/ledger-state.js";
import { ulid } from "../../lib/ulid.js";
import type { Ledger } from "../../ports/ledger.js";
import type { PullRecord } from "../../ports/pull-record.js";
import type { Pulls } from "../../ports/pulls.js";
import type { Threads } from "../../ports/threads.js";
import { judgeApproval } from "./judge-approval.js";

export interface ReviewParts {
  readonly ledger: Pick<Ledger, "refresh" | "observe" | "share">;
  readonly pulls: Pick<Pulls, "read">;
  readonly record: PullRecord;
  readonly threads: Pick<Threads, "read" | "role">;
  /** `owner/name`. */
  readonly repository: string;
  /** SHA-256. */
  readonly digest: (text: string) => Uint8Array;
  readonly hex: (bytes: Uint8Array) => string;
}

/** A review, whoever told of it: a webhook, or the command that gave it. */
type ToldReview = Pick<ReviewJob, "pull" | "review" | "author">;

export type RecordedReview =
  | { readonly kind: "recorded" }
  /** The ledger has nothing new by it. */
  | { readonly kind: "left"; readonly why: LeftReview };

/**
 * Brings a review in GitHub's own form into the ledger: an approval counts like one by comment, under the same
 * conditions, and is taken back with it.
 */
export async function recordReview(parts: ReviewParts, job: ToldReview): Promise<RecordedReview> {
  const { state } = await parts.ledger.refresh();
  const { review, author } = job;
  if (review.state === "approved") {
    const found = await approval(parts, job, state);
    return "why" in found ? { kind: "left", why: found.why } : record(parts, job, found);
  }
  // What somebody said in a comment stands by itself: a landing holds it against their last review.
  const given = state.pulls[job.pull]?.approvals.some(
    ({ via, evidence }) => via === "review" && evidence.user_id === author.id,
  );
  if (given !== true) return { kind: "left", why: "not-approved" };
  const data = { pull: job.pull, user: author.id, why: review.state };
  return record(parts, job, { type: "pull.unapproved", data });
}

async function approval(
  { pulls, record: history, threads, repository, digest, hex }: ReviewParts,
  { pull: number, review, author }: ToldReview,
  state: LedgerState,
): Promise<NewEvent | { readonly why: LeftReview }> {
  if (author.type !== "User") return { why: "not-a-person" };
  const pull = await pulls.read(number);
  // A head that GitHub has moved the review along to was not there when it was written; the judgement asks for that.
  if (pull === null || pull.head.sha !== review.head) return { why: "head_moved" };
  if (!includesRole(await threads.role(author.login), VERBS.approve.needs)) return { why: "not-permitted" };
  const wish = { by: author, sha: null, writtenAt: review.submittedAt };
  const parts = { record: history, threads, repository, digest: (text: string) => hex(digest(text)) };
  const decision = await judgeApproval(parts, pull, { state, wish });
  if (decision.kind === "already") return { why: "already" };
  if (decision.kind === "refuse") return { why: decision.refusal.code };
  const bead = beadOfBranch(pull.head);
  const data = { pull: number, head: decision.head, via: "review" as const };
  return { type: "pull.approved", ...(bead !== null && { bead }), data };
}

/** In the reviewer's name, and with an id that is the same whenever it is written. */
async function record(
  { ledger, digest, hex }: ReviewParts,
  { review, author }: ToldReview,
  event: NewEvent,
): Promise<RecordedReview> {
  const evidence: Evidence = {
    url: review.url,
    source: `review ${review.id}`,
    body_sha256: hex(digest(review.body)),
    login: author.login,
    user_id: author.id,
  };
  const at = Date.parse(review.submittedAt);
  const id = ulid(Number.isNaN(at) ? 0 : at, digest(`review ${review.id} ${review.state}`));
  await ledger.observe([{ ...event, id, actor: `@${author.login}`, evidence }]);
  await ledger.share("now");
  return { kind: "recorded" };
}
