import { CommentJob, commentKey, commentRef } from "../../core/model/comment-job.js";
import { isLooking } from "../../core/replies/land/pull/look-reply.js";
import { KeptRows, readShared } from "./shared-memory.js";

/** A comment whose reply still has something to tell. */
export interface OwedReply {
  readonly job: CommentJob;
  /** How its pull request stands, which somebody asked for. */
  readonly look: boolean;
  /** What became of what it asked for. */
  readonly outcome: boolean;
}

/** Null where nothing is left to tell. It may come from the ledger, where whoever can push can write. */
export function owedReply(
  comment: string,
  owed: { readonly job: string; readonly rows: string } | null,
): OwedReply | null {
  if (owed === null) return null;
  const job = readShared(CommentJob, owed.job);
  const rows = readShared(KeptRows, owed.rows);
  // A time that is none would stop whoever looks for the reply.
  if (job === null || Number.isNaN(Date.parse(job.comment.createdAt))) return null;
  if (rows === null || commentKey(commentRef(job)) !== comment) return null;
  const look = rows.some(isLooking);
  const outcome = rows.some(({ request }) => request !== undefined);
  return look || outcome ? { job, look, outcome } : null;
}
