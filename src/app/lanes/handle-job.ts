import type { Probot } from "probot";
import { readKeptComment, SWEPT_COMMENT } from "../../core/model/comment-job.js";
import { isHandled } from "../../core/model/delivery.js";
import { noReaction } from "../../core/replies/app/inbox.js";
import type { Job } from "../../ports/inbox.js";
import { Hopeless } from "../../ports/try-later.js";
import { ANALYSIS_JOB } from "../analysis/analysis-jobs.js";
import { type AnalysisParts, handleAnalysis } from "../analysis/handle-analysis.js";
import { type CommentParts, handleSwept } from "../comments/handle-comment.js";
import { BEADS_JOB, type BeadLookParts, handleBeads } from "../comments/look-at-beads.js";
import { handleOutcome, OUTCOME_JOB } from "../comments/watch-outcome.js";
import { LINK_JOB, type LinkAccounts } from "../link/link-accounts.js";
import { handleLanded, handleLanding, type LandingParts } from "../pulls/handle-landing.js";
import { handleLook } from "../pulls/handle-look.js";
import { handleWhy, WHY_JOB } from "../pulls/handle-why.js";
import { LAND_JOB, LANDED_JOB } from "../pulls/land-jobs.js";
import { LOOK_JOB } from "../pulls/look-jobs.js";

type WebhookEvent = Parameters<Probot["receive"]>[0];

export interface JobParts {
  readonly reactions: Pick<Probot, "receive">;
  readonly comments: CommentParts;
  readonly linking: Pick<LinkAccounts, "poll">;
  readonly landing: LandingParts;
  readonly analysis: AnalysisParts;
  readonly beads: BeadLookParts;
}

/** koryph's own errands are done here; a delivery of GitHub's goes to what `app.ts` registers. */
export function handleJob(
  { reactions, comments, linking, landing, analysis, beads }: JobParts,
  job: Job,
): Promise<void> {
  switch (job.name) {
    case SWEPT_COMMENT:
      return handleSwept(comments, readKeptComment(JSON.parse(job.payload)));
    case LINK_JOB:
      return linking.poll(job);
    case OUTCOME_JOB:
      return handleOutcome(comments, job);
    case LAND_JOB:
      return handleLanding(landing, job);
    case LANDED_JOB:
      return handleLanded(landing, job);
    case ANALYSIS_JOB:
      return handleAnalysis(analysis, job);
    case WHY_JOB:
      return handleWhy(landing, job);
    case LOOK_JOB:
      return handleLook(landing, job);
    case BEADS_JOB:
      return handleBeads(beads, job);
    default:
      return receiveStored(reactions, job);
  }
}

/** Brings a stored delivery to the reactions, and throws what they throw. */
export async function receiveStored(
  probot: Pick<Probot, "receive">,
  { id, name, payload }: Pick<Job, "id" | "name" | "payload">,
): Promise<void> {
  // Probot says nothing where nobody listens, and the delivery would count as done.
  if (!isHandled(name)) throw new Hopeless(noReaction(name));
  try {
    await probot.receive({ id, name, payload: JSON.parse(payload) } as WebhookEvent);
  } catch (error) {
    throw thrownBy(error);
  }
}

/** Probot wraps what a reaction threw, and hangs the whole delivery on it, which must not get into the log. */
function thrownBy(error: unknown): unknown {
  if (!(error instanceof AggregateError)) return error;
  for (const each of [error, ...error.errors]) delete (each as { event?: unknown }).event;
  return error.errors.length === 1 ? error.errors[0] : error;
}
