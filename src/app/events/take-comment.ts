import { type CommentJob, commentKey, commentRef } from "../../core/model/comment-job.js";
import type { TakenComment } from "../../core/run/ledger/ledger-state.js";
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
  readonly now: () => number;
}

/** No run lives that long. */
const LONGEST_MS = 60 * 60_000;

/**
 * Whether the comment is ours to answer: it is taken by a claim, which one of two runs wins. Whoever finds that another
 * has taken it goes on with it only when GitHub shows that run as over.
 */
export async function takeComment(parts: TakeParts, job: CommentJob): Promise<boolean> {
  const { ledger, self } = parts;
  const comment = commentKey(commentRef(job));
  const { run, attempt } = self;
  const data = { comment, thread: job.thread.number, user: job.author.login, run, attempt };
  let view = await ledger.refresh();
  for (;;) {
    const known = view.state.app.comments.find((each) => each.comment === comment);
    if (known !== undefined && (known.answer !== null || !(await isFree(parts, known)))) return false;
    const claim = await ledger.claim([{ type: "app.took", data }], view);
    if (claim.kind === "won") return true;
    view = claim.view;
  }
}

async function isFree({ self, isOver, now }: TakeParts, known: TakenComment): Promise<boolean> {
  const { run, attempt, takenAt } = known;
  if (run === self.run) return attempt < self.attempt;
  return now() - Date.parse(takenAt) > LONGEST_MS || isOver({ run, attempt });
}
