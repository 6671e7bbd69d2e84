import { type CommentJob, commentKey, commentRef } from "../../core/model/comment-job.js";
import type { AppRecord, TakenComment } from "../../core/run/ledger/ledger-state.js";
import type { Ledger } from "../../ports/ledger.js";

/** One attempt of one workflow run. */
export interface RunAttempt {
  readonly run: number;
  readonly attempt: number;
}

export interface TakeParts {
  readonly ledger: Pick<Ledger, "refresh" | "claim">;
  readonly self: RunAttempt;
  /** Whether GitHub shows the attempt as over. */
  readonly isOver: (other: RunAttempt) => Promise<boolean>;
  /** Whether the comment has started this very run, of which it is the first attempt. */
  readonly isFirstHand: (comment: string) => boolean;
  /** Whether GitHub shows an answer to it under our name. */
  readonly isShown: (job: CommentJob) => Promise<boolean>;
  readonly now: () => number;
}

/** Whose the comment is to answer. */
export type Taking =
  | "ours"
  | "others"
  /** Ours, and nobody knows any more whether its commands were carried out. */
  | "forgotten";

/** No run lives that long. */
const LONGEST_MS = 60 * 60_000;

/**
 * Takes the comment by a claim, which one of two runs wins. Whoever finds that another has taken it goes on with it only
 * when GitHub shows that run as over. What is older than what is forgotten is carried out by the run alone that GitHub has
 * started for it.
 */
export async function takeComment(parts: TakeParts, job: CommentJob): Promise<Taking> {
  const { ledger, self } = parts;
  const comment = commentKey(commentRef(job));
  const { run, attempt } = self;
  const data = { comment, thread: job.thread.number, user: job.author.login, run, attempt };
  let view = await ledger.refresh();
  for (;;) {
    const known = view.state.app.comments.find((each) => each.comment === comment);
    if (known !== undefined && (known.answer !== null || !(await isFree(parts, known)))) return "others";
    const forgotten = Date.parse(job.comment.createdAt) <= forgottenAt(view.state.app, parts.now());
    if (forgotten && (await parts.isShown(job))) return "others";
    const claim = await ledger.claim([{ type: "app.took", data }], view);
    if (claim.kind === "won") return forgotten && !parts.isFirstHand(comment) ? "forgotten" : "ours";
    view = claim.view;
  }
}

/** A time that has not come says no more than the present: whoever can push can write any. */
export function forgottenAt({ forgotten }: AppRecord, now: number): number {
  const at = forgotten === null ? Number.NaN : Date.parse(forgotten);
  return Number.isNaN(at) ? Number.NEGATIVE_INFINITY : Math.min(at, now);
}

async function isFree({ self, isOver, now }: TakeParts, known: TakenComment): Promise<boolean> {
  const { run, attempt, takenAt } = known;
  if (run === self.run) return attempt < self.attempt;
  return now() - Date.parse(takenAt) > LONGEST_MS || isOver({ run, attempt });
}
