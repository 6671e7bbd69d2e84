import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import { replyMarker, replyText } from "../core/replies/app/reply.js";
import { type Refused, type ReplyRow, refusedRow, rowOf } from "../core/replies/commands/reply-row.js";
import type { CommentMemory } from "../ports/comment-memory.js";
import type { Threads } from "../ports/threads.js";

/** A place among a comment's decisions that no command has: the rows of its reply. */
export const REPLY_PLACE = -1;

export interface ReplyParts {
  readonly threads: Threads;
  readonly memory: CommentMemory;
  readonly now: () => number;
}

/** The comment has this one reply afterwards, whatever became of earlier tries. */
export async function replyOnce(
  { threads, memory, now }: ReplyParts,
  job: CommentJob,
  rows: readonly ReplyRow[],
): Promise<void> {
  const { comment, thread } = job;
  const key = commentKey(commentRef(job));
  const source = `${comment.kind} ${comment.id}`;
  const body = replyText({ source, url: comment.url, rows });
  const begun = await memory.replyOf(key);
  if (begun !== null) {
    // Begun, and nobody knows whether it got through: GitHub may have taken it and failed to say so.
    const there = begun.id ?? (await threads.findOwn(thread.number, comment.createdAt, replyMarker(source)));
    if (there !== null && (await threads.edit(there, body)) === "edited") {
      await memory.setReply(key, there, now());
      return;
    }
  }
  await memory.intendReply(key, now());
  const said = await threads.say(thread.number, body);
  if (said !== null) await memory.setReply(key, said, now());
}

/** The comment's reply has these rows afterwards, if it is still there: somebody who deleted it wants no other. */
export async function editReply(
  { threads, memory }: ReplyParts,
  { comment, thread, ...job }: CommentJob,
  rows: readonly ReplyRow[],
): Promise<void> {
  const source = `${comment.kind} ${comment.id}`;
  const begun = await memory.replyOf(commentKey(commentRef({ comment, thread, ...job })));
  if (begun === null) return;
  const there = begun.id ?? (await threads.findOwn(thread.number, comment.createdAt, replyMarker(source)));
  if (there !== null) await threads.edit(there, replyText({ source, url: comment.url, rows }));
}

/** Tells how something went on that these rows of the reply spoke of before. */
export async function retell(
  parts: ReplyParts,
  job: CommentJob,
  { about, outcome }: { readonly about: (row: ReplyRow) => boolean; readonly outcome: LaterAnswer },
): Promise<void> {
  const key = commentKey(commentRef(job));
  const stored = await parts.memory.decided(key, REPLY_PLACE);
  if (stored === null) return;
  const rows = (JSON.parse(stored) as ReplyRow[]).map((row): ReplyRow => {
    if (!about(row)) return row;
    const { verb, text } = row;
    return outcome.kind === "refuse"
      ? { ...refusedRow(text, outcome), verb }
      : { ...rowOf(text), verb, said: outcome.said, next: outcome.next ?? "", more: outcome.more ?? "" };
  });
  // Before it is said: another row of the same reply may be told of later, by whoever reads these.
  await parts.memory.decide(key, REPLY_PLACE, JSON.stringify(rows), parts.now());
  await replyOnce(parts, job, rows);
}

export type LaterAnswer =
  | Refused
  | { readonly kind: "said"; readonly said: string; readonly next?: string; readonly more?: string };
