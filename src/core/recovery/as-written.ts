import type { CommentJob } from "../model/comment-job.js";

/** What GitHub says of a comment when it is asked about this one alone. */
interface Authorship {
  readonly author: CommentJob["author"];
  readonly viaApp: number | null;
}

/**
 * A swept comment with the author and the app that GitHub names for it. The list it was found in tells of no app, and
 * what an app writes with a person's token looks there like the person's own word. Null when it is gone by now.
 */
export function asWritten(job: CommentJob, written: Authorship | null): CommentJob | null {
  return written === null ? null : { ...job, author: written.author, viaApp: written.viaApp };
}
