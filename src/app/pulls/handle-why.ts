import { retell } from "../../comments/reply-once.js";
import { WATCHED_MS } from "../../core/control/watch-request.js";
import { CommentJob, commentKey, commentRef } from "../../core/model/comment-job.js";
import { isLooking, standingReply } from "../../core/replies/land/pull/look-reply.js";
import { pullReplyRefusal } from "../../core/replies/land/pull/pull-replies.js";
import type { CommentMemory } from "../../ports/comment-memory.js";
import type { Inbox, Job, Lane } from "../../ports/inbox.js";
import { Hopeless, TryLater } from "../../ports/try-later.js";
import { surveyPull } from "../../pulls/survey-pull.js";
import { type LandingTools, openLanding } from "./open-landing.js";
import type { PullPlaces } from "./pull-places.js";

/** The name under which a question about a pull request lies in the inbox. */
export const WHY_JOB = "koryph.why";

const UNANSWERED_MS = 1_000;

/** Somebody looks how the comment's pull request stands, and tells it in the reply. */
export async function startWhy(
  { inbox, onAdded }: { readonly inbox: Pick<Inbox, "add">; readonly onAdded: (lane: Lane) => void },
  job: CommentJob,
): Promise<void> {
  const id = `${WHY_JOB} ${commentKey(commentRef(job))}`;
  const payload = JSON.stringify({ ...job, comment: { ...job.comment, body: "" } });
  await inbox.add({ id, name: WHY_JOB, lane: "work", key: id, payload });
  onAdded("work");
}

export interface WhyParts extends LandingTools {
  readonly places: PullPlaces;
  readonly memory: CommentMemory;
}

export async function handleWhy(
  parts: WhyParts,
  { payload, receivedAt }: Pick<Job, "payload" | "receivedAt">,
): Promise<void> {
  const { memory, now } = parts;
  const { data: job } = CommentJob.safeParse(JSON.parse(payload));
  if (job === undefined) throw new Hopeless("a comment that cannot be read");
  // Somebody else is about to write the reply, and would write over the answer.
  if (!(await memory.handled(commentKey(commentRef(job))))) {
    if (now() - receivedAt > WATCHED_MS) return;
    throw new TryLater("the comment was not answered yet", now() + UNANSWERED_MS);
  }
  await parts.places.where(job, async (place) => {
    const { opened, threads } = place;
    if (opened.kind === "refuse") return;
    const { parts: tools, settings } = await openLanding(parts, job, { ...place, opened });
    const standing = await surveyPull(tools, settings(null), job.thread.number);
    const url = `${parts.app.serverUrl}/${job.repository.fullName}`;
    const outcome = standing === null ? pullReplyRefusal.gone() : standingReply(standing, url);
    await retell({ threads, memory, now }, job, { about: isLooking, outcome });
  });
}
