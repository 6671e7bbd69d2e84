import { z } from "zod";
import { CommentJob, commentKey, commentRef } from "../../core/model/comment-job.js";
import { isLooking } from "../../core/replies/land/pull/look-reply.js";

/** A comment whose reply still has something to tell. */
export interface OwedReply {
  readonly job: CommentJob;
  /** How its pull request stands, which somebody asked for. */
  readonly look: boolean;
  /** What became of what it asked for. */
  readonly outcome: boolean;
}

/** As far as it is read here. */
const Row = z.object({ code: z.string(), request: z.string().optional() });

/** Null where nothing is left to tell. It may come from the ledger, where whoever can push can write. */
export function owedReply(
  comment: string,
  owed: { readonly job: string; readonly rows: string } | null,
): OwedReply | null {
  if (owed === null) return null;
  const job = CommentJob.safeParse(json(owed.job)).data;
  const rows = z.array(Row).safeParse(json(owed.rows)).data;
  if (job === undefined || rows === undefined || commentKey(commentRef(job)) !== comment) return null;
  const look = rows.some(isLooking);
  const outcome = rows.some(({ request }) => request !== undefined);
  return look || outcome ? { job, look, outcome } : null;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
