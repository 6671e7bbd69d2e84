import type { Role } from "../core/commands/roles.js";
import type { ReleaseVerdict } from "../core/model/release.js";
import type { CommentRef } from "../core/model/thread.js";

export type ReactionName = "eyes" | "rocket" | "+1" | "-1" | "confused";

export interface Writing {
  readonly body: string;
  readonly author: { readonly login: string; readonly id: number };
  /** The app whose token wrote it; null for a person's own hand, and where GitHub does not tell. */
  readonly viaApp: number | null;
  readonly createdAt: string;
  readonly url: string;
  /** Whether anybody has changed it since: whoever may write to the repository can, and the author stays the same. */
  edited(): Promise<boolean>;
}

/** The conversations of one repository. Every verb that changes something aims at a state, so it may be repeated. */
export interface Threads {
  /** As it is now; null when it was deleted. */
  read(comment: CommentRef): Promise<Writing | null>;
  /** Our reaction is there afterwards. A comment that is gone is no error. */
  react(comment: CommentRef, reaction: ReactionName): Promise<void>;
  /** A new comment on the thread; its id. Null where none is taken: the thread is locked, or the repository archived. */
  say(thread: number, body: string): Promise<number | null>;
  /** Our own comment has this text afterwards; `gone` when somebody deleted it. */
  edit(comment: number, body: string): Promise<"edited" | "gone">;
  /** Our own comment that begins with this text is folded away as out of date; one that is gone is no error. */
  hide(comment: number, text: string): Promise<void>;
  /** Our own newest comment on the thread, not older than `since`, that begins with this text; null when there is none. */
  findOwn(thread: number, since: string, text: string): Promise<number | null>;
  /**
   * The thread's status comment, ours or that of another koryph with an account of its own, which we may edit; null when
   * there is none.
   */
  findStatus(thread: number): Promise<number | null>;
  /** Whether an issue with this label is released to agents; null for a number that is no open issue. */
  release(issue: number, label: string): Promise<ReleaseVerdict | null>;
  /** What GitHub says now; anything that is not a clear answer throws. */
  role(login: string): Promise<Role>;
  /** The branch a pull request wants to bring in; null when there is no such pull request. */
  head(
    pull: number,
  ): Promise<{ readonly branch: string; readonly sha: string; readonly fork: boolean } | null>;
  /** A file of the default branch; null when it is not there. */
  file(path: string): Promise<string | null>;
}
