import { isSettled, type RequestOutcome, requestOutcome } from "../core/control/request-outcome.js";
import { watchRequest } from "../core/control/watch-request.js";
import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import type { Ledger, LedgerTail } from "../ports/ledger.js";
import { OUTCOME_PLACE, type ReplyParts, rowsOf, tellInReply } from "./reply-once.js";

/** What an hour of a busy engine comes to. */
const MOST_RECENT = 500;

const LANDING_MS = 10 * 60_000;

export interface OutcomeParts extends ReplyParts {
  readonly ledger: Pick<Ledger, "refresh"> & LedgerTail;
  /** What became of a request that no engine is asked for; null while that is not known. */
  readonly outcomeOf: (request: string) => Promise<RequestOutcome | null>;
  /** When the reply was written. */
  readonly since: number;
}

/**
 * Edits into the reply what became of the commands that an engine has to act on: once when that is known of all of them,
 * and before that once if it takes long. Milliseconds until somebody should look again; null for never.
 */
export async function tellOutcome(parts: OutcomeParts, job: CommentJob): Promise<number | null> {
  const { memory, ledger, now, since } = parts;
  const key = commentKey(commentRef(job));
  const rows = await rowsOf(parts, key);
  await ledger.refresh();
  const recent = await ledger.recent(MOST_RECENT);
  const found = await Promise.all(
    rows.map(async ({ request }) =>
      request === undefined ? null : ((await parts.outcomeOf(request)) ?? requestOutcome(request, recent)),
    ),
  );
  const { tell, againMs } = watchRequest({
    ageMs: now() - since,
    settled: found.every((outcome) => outcome === null || isSettled(outcome)),
    told: (await memory.decided(key, OUTCOME_PLACE)) === JSON.stringify(found),
  });
  if (tell) await tellInReply(parts, job, found);
  // A landing may wait for its checks for hours, and a reviewer for others; whoever ends it has this looked at.
  const waits = found.some((outcome) => outcome?.kind === "landing" || outcome?.kind === "analysing");
  return againMs ?? (waits ? LANDING_MS : null);
}
