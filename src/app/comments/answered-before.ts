import type { GithubThreads } from "../../adapters/github/github-threads.js";
import { type CommentJob, commentKey, commentRef } from "../../core/model/comment-job.js";
import { replyMarker } from "../../core/replies/app/reply.js";
import type { CommentMemory } from "../../ports/comment-memory.js";
import type { ReactionName } from "../../ports/threads.js";

export interface AnsweredParts {
  readonly threads: Pick<GithubThreads, "findOwn" | "hasReacted">;
  readonly memory: Pick<CommentMemory, "replyOf">;
}

/** Those that are given when all has been said; the eyes come first, and whoever gave them may have died since. */
const FINAL: readonly ReactionName[] = ["rocket", "+1", "-1", "confused"];

/** Whether GitHub shows an answer of ours to the comment that nothing here knows of. */
export async function answeredBefore({ threads, memory }: AnsweredParts, job: CommentJob): Promise<boolean> {
  const ref = commentRef(job);
  const source = commentKey(ref);
  // What was begun here is brought to its end here, however much of it is to be seen already.
  if ((await memory.replyOf(source)) !== null) return false;
  const reply = await threads.findOwn(job.thread.number, job.comment.createdAt, replyMarker(source));
  // There may be no reply: people delete it, a locked thread takes none, and some refusals are without words.
  return reply !== null || (await threads.hasReacted(ref, FINAL));
}
