import { decideRate, isCapTold, RATE_WINDOW_MS, type RateDecision } from "../core/commands/rate.js";
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

/** Capped when so much was asked for before a comment that it is left alone. */
export async function letThrough(parts: UseParts, job: CommentJob): Promise<RateDecision> {
  const uses = await recentUses(parts, job);
  const use = useOf(parts, job, false);
  // Tried again: it was let through at first, and that stands, whatever was written since.
  if (uses.some(({ comment }) => comment === use.comment)) return { kind: "ok" };
  const decision = decideRate(uses, use);
  // Only what is let through counts, so that nobody is kept out for longer by trying.
  if (decision.kind === "ok") await parts.memory.use(use);
  return decision;
}

/** A place among decisions that no command has: the comment on which a cap was told of last. */
const CAP_PLACE = -5;

export interface ToldCap {
  readonly comment: string;
  readonly at: number;
}

/**
 * Whether this comment is the one on which its person, or its thread, is told of the cap: one in a window, and the same
 * one whenever it is asked about again. No bot is: two of them could go on for ever.
 */
export async function isCapToBeTold(
  parts: UseParts,
  job: CommentJob,
  { by }: Extract<RateDecision, { kind: "capped" }>,
): Promise<boolean> {
  const { memory, now } = parts;
  const { repository, author, thread } = job;
  if (author.type !== "User" || job.viaApp !== null) return false;
  const whose = by === "person" ? `@${author.login.toLowerCase()}` : `#${thread.number}`;
  const name = `capped ${repository.id} ${whose}`;
  const comment = commentKey(commentRef(job));
  const stored = await memory.decided(name, CAP_PLACE);
  const told = stored === null ? null : (JSON.parse(stored) as ToldCap);
  if (told !== null && isCapTold(by, told.at, now())) return told.comment === comment;
  const telling: ToldCap = { comment, at: now() };
  await memory.decide(name, CAP_PLACE, JSON.stringify(telling), now());
  return true;
}
