import { type Row, refusedRow } from "../core/control/row.js";
import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import { type ReplyParts, replyOnce } from "./reply-once.js";
import type { LinkAnswer } from "./run-command.js";

/** A place among a comment's decisions that no command has: the rows of its reply. */
export const REPLY_PLACE = -1;

/** Tells how something went on that a row of the reply spoke of before. */
export async function retell(
  parts: ReplyParts,
  job: CommentJob,
  { verb, outcome }: { readonly verb: string; readonly outcome: LinkAnswer },
): Promise<void> {
  const stored = await parts.memory.decided(commentKey(commentRef(job)), REPLY_PLACE);
  if (stored === null) return;
  const rows = (JSON.parse(stored) as Row[]).map((row) => {
    if (row.verb !== verb) return row;
    return outcome.kind === "refuse"
      ? { ...refusedRow(row.text, outcome), verb }
      : { ...row, said: outcome.said };
  });
  await replyOnce(parts, job, rows);
}
