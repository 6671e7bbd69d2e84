import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import { replyMarker } from "../core/replies/app/reply.js";
import type { ReplyRow } from "../core/replies/commands/reply-row.js";
import { isSuperseded, type RepliedRow } from "../core/replies/commands/superseded-reply.js";
import type { CommentMemory } from "../ports/comment-memory.js";
import type { Threads } from "../ports/threads.js";

export interface HideParts {
  readonly threads: Pick<Threads, "hide">;
  readonly memory: Pick<CommentMemory, "decide" | "decided" | "replyOf">;
  readonly now: () => number;
  readonly warn: (what: string, error: unknown) => void;
}

export interface ThreadReply {
  /** The comment that it answers. */
  readonly to: string;
  readonly id: number;
  readonly rows: readonly RepliedRow[];
}

/** A place among decisions that no command has. */
const REPLIES_PLACE = 0;
/** More than people look back over. */
const MOST_REPLIES = 20;

/** Earlier replies on the thread that the comment's own reply has put out of date are folded away. */
export async function hideSuperseded(
  { threads, memory, now, warn }: HideParts,
  job: CommentJob,
  rows: readonly ReplyRow[],
): Promise<void> {
  const to = commentKey(commentRef(job));
  const own = await memory.replyOf(to);
  if (own === null || own.id === null) return;
  const key = `replies ${job.repository.id} ${job.thread.number}`;
  const stored = JSON.parse((await memory.decided(key, REPLIES_PLACE)) ?? "[]") as ThreadReply[];
  const others = stored.filter((reply) => reply.to !== to);
  const over = others.filter((reply) => isSuperseded(reply.rows, rows));
  for (const reply of over) {
    const { id } = reply;
    try {
      await threads.hide(id, replyMarker(reply.to));
    } catch (error) {
      // It is only for show, and must not keep the command from its end.
      warn(`comment ${id} is out of date and stays to be seen`, error);
    }
  }
  const told = rows.map(({ text, verb, request }) => ({
    text,
    verb,
    ...(request !== undefined && { request }),
  }));
  const kept = [...others.filter((reply) => !over.includes(reply)), { to, id: own.id, rows: told }];
  await memory.decide(key, REPLIES_PLACE, JSON.stringify(kept.slice(-MOST_REPLIES)), now());
}
