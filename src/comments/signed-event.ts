import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import type { Evidence } from "../core/run/ledger/evidence.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import { ulid } from "../lib/ulid.js";

/** Which of a comment's commands, and which of that one's events. */
interface EventPlace {
  readonly place: number;
  readonly index: number;
}

/**
 * An event in the name of whoever wrote the comment, with the comment as evidence. Its id is the same whenever it is
 * written.
 */
export function signedEvent(
  event: NewEvent,
  { comment, author, ...job }: CommentJob,
  { place, index, digest }: EventPlace & { readonly digest: (text: string) => Uint8Array },
): NewEvent {
  const evidence = evidenceOf({ comment, author }, digest);
  const key = commentKey(commentRef({ comment, author, ...job }));
  const at = Date.parse(comment.createdAt);
  const name = index === 0 ? `${key} ${place}` : `${key} ${place} ${index}`;
  const id = ulid(Number.isNaN(at) ? 0 : at, digest(name));
  return { ...event, id, actor: `@${author.login}`, evidence };
}

/** The comment as it was read, for whoever reads it there again. */
export function evidenceOf(
  { comment, author }: Pick<CommentJob, "comment" | "author">,
  digest: (text: string) => Uint8Array,
): Evidence {
  return {
    url: comment.url,
    source: `${comment.kind} ${comment.id}`,
    body_sha256: hex(digest(comment.body)),
    login: author.login,
    user_id: author.id,
  };
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
