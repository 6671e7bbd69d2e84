import { readCommands } from "../core/commands/read-commands.js";
import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import { commentRefusals } from "../core/replies/commands/comment-refusals.js";
import { refusedRow } from "../core/replies/commands/reply-row.js";
import { letThrough } from "./let-through.js";
import { type ReplyParts, replyOnce } from "./reply-once.js";

/** Tells a person, once, that nobody knows any more whether their comment was answered; nothing of it is carried out. */
export async function answerForgotten(parts: ReplyParts, job: CommentJob): Promise<void> {
  const { memory, now } = parts;
  const comment = commentKey(commentRef(job));
  if (job.author.type !== "User" || job.viaApp !== null || (await memory.handled(comment))) return;
  const rows = readCommands(job.comment.body).lines.map(({ text }) =>
    refusedRow(text, commentRefusals.forgotten()),
  );
  if (rows.length > 0 && (await letThrough(parts, job)).kind === "ok") await replyOnce(parts, job, rows);
  await memory.markHandled(comment, now());
}
