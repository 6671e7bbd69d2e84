import { type FindingMark, readFindingMarker } from "./finding-marker.js";

/** A conversation on a line that an earlier analysis began, as GitHub shows it now. */
export interface ReviewThread {
  /** GitHub's own name for it. */
  readonly thread: string;
  readonly path: string;
  readonly resolved: boolean;
  /** The pull request's own author resolved it, who may do so without any right to decide. */
  readonly byAuthor: boolean;
  /** The code that it stands on has changed since. */
  readonly outdated: boolean;
  /** Its first comment. */
  readonly comment: { readonly id: number; readonly body: string; readonly minimized: boolean };
  /** Somebody answered. */
  readonly answered: boolean;
}

export interface KnownThread extends ReviewThread {
  readonly mark: FindingMark;
  /**
   * `fixed`: we closed it because the finding was gone. `dismissed`: a person closed or hid it, and wants to hear no more
   * of it. `claimed`: the pull request's author closed it, which proves nothing. `open`: everything else.
   */
  readonly state: "open" | "fixed" | "dismissed" | "claimed";
}

/** Null for a thread whose first comment carries no mark of ours. */
export function knownThread(thread: ReviewThread): KnownThread | null {
  const mark = readFindingMarker(thread.comment.body);
  return mark === null ? null : { ...thread, mark, state: stateOf(thread, mark) };
}

/** Our mark is written before we resolve, so a thread that is resolved without one was resolved by a person. */
function stateOf(thread: ReviewThread, { fixed }: FindingMark): KnownThread["state"] {
  const { resolved, byAuthor, comment } = thread;
  if (resolved && fixed !== null) return "fixed";
  if (comment.minimized || (resolved && !byAuthor)) return "dismissed";
  return resolved ? "claimed" : "open";
}
