import { createHash } from "node:crypto";
import { GithubKeptChecks } from "../../adapters/github/pulls/github-kept-checks.js";
import { type PullStanding, pullStanding } from "../../core/control/pull-standing.js";
import { firstInLine } from "../../core/land/landing-queue.js";
import type { CommentMemory } from "../../ports/comment-memory.js";
import type { Job } from "../../ports/inbox.js";
import type { PullRepo } from "../../ports/pull-repo.js";
import { Hopeless } from "../../ports/try-later.js";
import { withCompared } from "../../pulls/approvals/carried-approval.js";
import type { PullLandOutcome } from "../../pulls/land-pull.js";
import { showStanding } from "../../pulls/show-standing.js";
import { MOST_RECENT, surveyPull } from "../../pulls/survey-pull.js";
import type { LandJobs } from "./land-jobs.js";
import { LookJob, type LookJobs } from "./look-jobs.js";
import { type LandingTools, openLanding, type UsablePlace } from "./open-landing.js";
import type { InstalledPlace, PullPlaces } from "./pull-places.js";

export interface LookParts extends LandingTools {
  readonly places: PullPlaces;
  readonly jobs: LandJobs;
  readonly looks: LookJobs;
  /** Also what was shown and asked for before. */
  readonly memory: CommentMemory;
  /** The App's own number. */
  readonly appId: number;
}

/** Shows how a pull request stands. The one whose turn it is to land is shown by the landing itself. */
export async function handleLook(parts: LookParts, { payload }: Pick<Job, "payload">): Promise<void> {
  const { data: job } = LookJob.safeParse(JSON.parse(payload));
  if (job === undefined) throw new Hopeless("a look that cannot be read");
  await parts.places.where(job, async ({ opened, ...place }) => {
    if (opened.kind === "refuse") return;
    const { state } = await opened.ledger.refresh();
    const queued = state.landings.find(({ pull }) => pull === job.pull);
    const requester = queued === undefined ? null : await parts.jobs.requesterOf(queued.id);
    if (requester !== null && firstInLine(state, "pulls").some(({ id }) => id === queued?.id)) {
      await parts.jobs.wake(job.repository.id);
      return;
    }
    const { parts: tools, settings } = await openLanding(parts, job, { ...place, opened });
    const standing = await surveyPull(tools, settings(requester), job.pull);
    if (standing !== null) await show(parts, { ...job, threads: place.threads }, standing);
  });
}

/**
 * Shows how a landing stands that was brought on just now. Where that fails, somebody looks again later: what is shown
 * must not keep a landing from its end.
 */
export async function showLanding(
  parts: LookParts,
  at: InstalledPlace,
  { opened, threads, repo }: UsablePlace & { readonly repo: Pick<PullRepo, "compare"> },
  outcome: PullLandOutcome,
): Promise<void> {
  const { seen } = outcome;
  if (seen === null) return;
  try {
    const { state } = await opened.ledger.refresh();
    const recent = await opened.ledger.recent(MOST_RECENT);
    const unmet = "unmet" in outcome ? outcome.unmet : [];
    const standing = pullStanding({ pull: seen, state, recent, unmet, carried: seen.carried });
    await show(parts, { ...at, threads }, await withCompared(repo, standing));
  } catch {
    await parts.looks.start(at, seen.number);
  }
}

async function show(
  { app, appId, memory, now }: LookParts,
  { installation, repository, threads }: InstalledPlace & Pick<UsablePlace, "threads">,
  standing: PullStanding,
): Promise<void> {
  const { fullName, id } = repository;
  const checks = new GithubKeptChecks(() => app.asInstallation(installation), fullName, appId);
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");
  const at = { repository: id, url: `${app.serverUrl}/${fullName}` };
  await showStanding({ checks, threads, memory, digest, now }, at, standing);
}
