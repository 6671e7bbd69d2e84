import { isUnread, readCommands } from "../../core/commands/read-commands.js";
import { type CommentJob, commentKey, commentRef, SWEPT_COMMENT } from "../../core/model/comment-job.js";
import { threadKey } from "../../core/model/thread.js";
import type { SweepFacts } from "../../core/recovery/choose-swept.js";
import type { Inbox, Lane, NewJob } from "../../ports/inbox.js";

export interface SweepPlace {
  readonly installation: number;
  /** `owner/name` */
  readonly repository: string;
}

export interface SweepParts {
  readonly places: () => AsyncIterable<SweepPlace>;
  /** Comments that a webhook, or a workflow run, should have told of. */
  readonly owed: (place: SweepPlace, facts: SweepFacts) => Promise<readonly CommentJob[]>;
  readonly inbox: Pick<Inbox, "add">;
  readonly memory: { handled(comment: string): Promise<boolean>; bornAt(): Promise<number> };
  readonly onAdded: (lane: Lane) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
  readonly now: () => number;
}

/** Puts comments into the inbox that no webhook told of; how many. One repository's trouble is not the others'. */
export async function sweepComments(parts: SweepParts, signal: AbortSignal): Promise<number> {
  const bornAt = await parts.memory.bornAt();
  let found = 0;
  for await (const place of parts.places()) {
    if (signal.aborted) return found;
    try {
      found += await sweepRepository(parts, place, bornAt);
    } catch (error) {
      if (signal.aborted) return found;
      parts.onTrouble(place.repository, error);
    }
  }
  return found;
}

async function sweepRepository(parts: SweepParts, place: SweepPlace, bornAt: number): Promise<number> {
  const { inbox, memory, onAdded } = parts;
  const facts = { ...place, now: parts.now(), bornAt };
  let found = 0;
  for (const comment of await parts.owed(place, facts)) {
    if (await memory.handled(commentKey(commentRef(comment)))) continue;
    // Last: a text can be made so that it takes long to read.
    const { body } = comment.comment;
    if (!isUnread(body) && readCommands(body).lines.length === 0) continue;
    const job = sweptJob(comment);
    if ((await inbox.add(job)) === "known") continue;
    onAdded(job.lane);
    found += 1;
  }
  return found;
}

/** In the same line as the thread's webhooks: one of them may be about this very comment, and come first. */
function sweptJob(comment: CommentJob): NewJob {
  const ref = commentRef(comment);
  return {
    id: `${SWEPT_COMMENT} ${commentKey(ref)}`,
    name: SWEPT_COMMENT,
    lane: "intake",
    key: threadKey(ref.thread),
    payload: JSON.stringify(comment),
  };
}
