import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import type { CommentMemory } from "../ports/comment-memory.js";
import type { Threads } from "../ports/threads.js";
import { letThrough } from "./let-through.js";

export interface UnreadParts {
  readonly threads: Pick<Threads, "react">;
  readonly memory: CommentMemory;
  readonly now: () => number;
}

/**
 * Tells a person by a reaction, once, that their comment was not read for commands. It counts like one with commands:
 * above the caps there is no reaction either. Whether there was one.
 */
export async function answerUnread(parts: UnreadParts, job: CommentJob): Promise<boolean> {
  const { memory, now, threads } = parts;
  const ref = commentRef(job);
  const comment = commentKey(ref);
  if (job.author.type !== "User" || job.viaApp !== null || (await memory.handled(comment))) return false;
  const heard = (await letThrough(parts, job)).kind === "ok";
  if (heard) await threads.react(ref, "confused");
  await memory.markHandled(comment, now());
  return heard;
}
