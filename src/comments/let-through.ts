import { decideRate, RATE_WINDOW_MS } from "../core/commands/rate.js";
import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import type { CommentMemory, Use } from "../ports/comment-memory.js";

interface UseParts {
  readonly memory: CommentMemory;
  readonly now: () => number;
}

export function useOf({ now }: UseParts, job: CommentJob, refused: boolean): Use {
  return {
    comment: commentKey(commentRef(job)),
    repository: job.repository.fullName,
    user: job.author.login,
    thread: job.thread.number,
    at: now(),
    refused,
  };
}

/** What was asked for lately by the same person, or on the same thread. */
export function recentUses({ memory, now }: UseParts, { repository, author, thread }: CommentJob) {
  return memory.uses(repository.fullName, author.login, thread.number, now() - RATE_WINDOW_MS);
}

/** False when so much was asked for before a comment that it is left alone. */
export async function isLetThrough(parts: UseParts, job: CommentJob): Promise<boolean> {
  const uses = await recentUses(parts, job);
  const use = useOf(parts, job, false);
  // Tried again: it was let through at first, and that stands, whatever was written since.
  if (uses.some(({ comment }) => comment === use.comment)) return true;
  if (decideRate(uses, use) === "capped") return false;
  // Only what is let through counts, so that nobody is kept out for longer by trying.
  await parts.memory.use(use);
  return true;
}
