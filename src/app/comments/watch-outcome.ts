import { type OutcomeParts, tellOutcome } from "../../comments/tell-outcome.js";
import { MOST_WATCHED, WATCHED_MS } from "../../core/control/watch-request.js";
import { CommentJob, commentKey, commentRef } from "../../core/model/comment-job.js";
import { logWords } from "../../core/replies/app/serve.js";
import { LedgerError } from "../../core/run/ledger/ledger-error.js";
import type { Inbox, Job, ListedJob } from "../../ports/inbox.js";
import { Hopeless, TryLater } from "../../ports/try-later.js";
import type { CommentParts } from "./handle-comment.js";

/** The name under which a reply that waits for an engine lies in the inbox. */
export const OUTCOME_JOB = "koryph.outcome";

const FIRST_LOOK_MS = 5000;
const UNANSWERED_MS = 5000;

export interface WatchParts {
  readonly inbox: Pick<Inbox, "add"> & { list(filter: { readonly lane: "work" }): Promise<ListedJob[]> };
  readonly onAdded: () => void;
  readonly now: () => number;
}

/** Somebody looks from now on what an engine makes of what the comment asked for, unless too many wait already. */
export async function watchOutcome({ inbox, onAdded, now }: WatchParts, job: CommentJob): Promise<void> {
  const name = `${OUTCOME_JOB} ${commentKey(commentRef(job))}`;
  const before = `${OUTCOME_JOB} ${job.repository.fullName} `;
  const waiting = (await inbox.list({ lane: "work" })).filter(
    (each) => each.name === OUTCOME_JOB && each.state !== "dead",
  );
  const here = waiting.filter(({ key }) => key.startsWith(before));
  if (waiting.length >= MOST_WATCHED.all || here.length >= MOST_WATCHED.repository) return;
  await inbox.add({
    id: name,
    name: OUTCOME_JOB,
    lane: "work",
    // Each has a line of its own: one that waits for an hour holds up no other.
    key: `${before}${commentKey(commentRef(job))}`,
    payload: JSON.stringify({ ...job, comment: { ...job.comment, body: "" } }),
    notBefore: now() + FIRST_LOOK_MS,
  });
  onAdded();
}

/** Looks once what became of it; `TryLater` until it is known, or nobody looks any more. */
export async function handleOutcome(parts: CommentParts, { payload, receivedAt }: Job): Promise<void> {
  const { memory, now, reach, repositories, threadsOf, outcomeOf, log } = parts;
  const { data: job } = CommentJob.safeParse(JSON.parse(payload));
  if (job === undefined) throw new Hopeless("a comment that cannot be read");
  // Somebody else is about to write the reply, and two who write at once would contradict each other.
  if (!(await memory.handled(commentKey(commentRef(job))))) {
    if (now() - receivedAt > WATCHED_MS) return;
    throw new TryLater("the comment was not answered yet", now() + UNANSWERED_MS);
  }
  let again: number | null = null;
  await reach.whereInstalled(job, async () => {
    const threads = await threadsOf(job);
    const opened = await repositories.open({ installation: job.installation, ...job.repository }, threads);
    if (opened.kind === "refuse") return;
    const telling: OutcomeParts = {
      threads,
      memory,
      now,
      ledger: opened.ledger,
      outcomeOf,
      since: receivedAt,
    };
    try {
      again = await tellOutcome(telling, job);
    } catch (error) {
      // Whoever asks next in this repository is told, and waiting does not mend it.
      if (!(error instanceof LedgerError) || error.kind !== "rewound") throw error;
      log.warn({ err: error, comment: job.comment.url }, logWords.outcomeUnknown());
    }
  });
  if (again !== null) throw new TryLater("no engine has acted on it yet", now() + again);
}
