import { decideRate, RATE_WINDOW_MS } from "../core/commands/rate.js";
import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import type { TalkMemory } from "../ports/talk-memory.js";

/** Whether so much was asked for before a comment that it is left alone. Nothing is noted of it here. */
export async function isCapped(
  memory: Pick<TalkMemory, "uses">,
  job: CommentJob,
  now: number,
): Promise<boolean> {
  const { repository, author, thread } = job;
  const use = { at: now, user: author.login, thread: thread.number };
  const uses = await memory.uses(repository.fullName, use.user, use.thread, now - RATE_WINDOW_MS);
  // Tried again: it was let through at first, and that stands, whatever was written since.
  if (uses.some(({ comment }) => comment === commentKey(commentRef(job)))) return false;
  return decideRate(uses, use) === "capped";
}
