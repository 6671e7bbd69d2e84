import { type CommentJob, commentRef } from "../core/model/comment-job.js";
import { reachRefusal } from "../core/replies/app/reach.js";
import { commentRefusals } from "../core/replies/commands/comment-refusals.js";
import type { Refused } from "../core/replies/commands/reply-row.js";
import type { Threads, Writing } from "../ports/threads.js";

/** How old a look at the comment may be when something is changed because of it. */
const FRESH_MS = 2_000;

/** Whether GitHub still has the comment as we were told of it. Null from each question means yes. */
export class CommentCheck {
  readonly #parts: { readonly threads: Pick<Threads, "read">; readonly now: () => number };
  readonly #job: CommentJob;
  #seen: { readonly at: number; readonly writing: Writing | null } | null = null;

  constructor(
    parts: { readonly threads: Pick<Threads, "read">; readonly now: () => number },
    job: CommentJob,
  ) {
    this.#parts = parts;
    this.#job = job;
  }

  /** Whoever knows the webhook secret can say that anybody wrote a comment; GitHub knows who did. */
  async disowned(): Promise<Refused | null> {
    const writing = await this.#writing();
    if (writing === null) return commentRefusals.deleted();
    const { author, viaApp } = this.#job;
    const { id, login } = author;
    // Both: what somebody may do is asked for by the name, and a number that fits would vouch for any.
    const same = writing.author.id === id && writing.author.login.toLowerCase() === login.toLowerCase();
    return same && writing.viaApp === viaApp ? null : reachRefusal.authorMismatch();
  }

  async edited(): Promise<Refused | null> {
    return (await this.#writing())?.body === this.#job.comment.body ? null : commentRefusals.edited();
  }

  /** The comment as it is, or was a moment ago: several commands of one comment are carried out in one go. */
  async #writing(): Promise<Writing | null> {
    const { threads, now } = this.#parts;
    if (this.#seen === null || now() - this.#seen.at > FRESH_MS) {
      const at = now();
      this.#seen = { at, writing: await threads.read(commentRef(this.#job)) };
    }
    return this.#seen.writing;
  }
}
