import type { PullRefusal } from "../../core/land/pull/pull-refusal.js";
import { beadOfBranch } from "../../core/model/pull.js";
import type { Job } from "../../ports/inbox.js";
import { Hopeless, TryLater } from "../../ports/try-later.js";
import { dropJobRefs } from "../../pulls/jobs/drop-job-refs.js";
import { landPull } from "../../pulls/land-pull.js";
import { MERGED_WITHIN_MS, tidyLanded } from "../../pulls/tidy-landed.js";
import { type LookParts, showLanding } from "./handle-look.js";
import { LandedJob, LandJob } from "./land-jobs.js";
import { openLanding } from "./open-landing.js";
import type { InstalledPlace, PullPlace } from "./pull-places.js";

export type LandingParts = LookParts;

/** GitHub shows a pushed head within seconds. */
const SOON_MS = 5_000;
/** Webhooks tell of checks; this is for those that never come. */
const LATER_MS = 60_000;
/** A hold is lifted by a person. */
const HELD_MS = 300_000;

/** Brings the landings of one base branch on, one after another, until one has to wait. */
export async function handleLanding(parts: LandingParts, { payload }: Pick<Job, "payload">): Promise<void> {
  const { data: job } = LandJob.safeParse(JSON.parse(payload));
  if (job === undefined) throw new Hopeless("a landing that cannot be read");
  let again: number | null = null;
  await parts.places.where(job, async (place) => {
    again = await landLine(parts, job, place);
  });
  if (again !== null) throw new TryLater("a landing waits for something", parts.now() + again);
}

/** Milliseconds until somebody should look again; null when nothing is left to land. */
async function landLine(parts: LandingParts, job: LandJob, place: PullPlace): Promise<number | null> {
  const { opened } = place;
  if (opened.kind === "refuse") return null;
  const { state } = await opened.ledger.refresh();
  const line = state.landings.filter(({ kind, branch }) => kind === "land-pull" && branch === job.branch);
  let held: number | null = null;
  let moved = false;
  for (const [index, landing] of line.entries()) {
    const requester = await parts.jobs.requesterOf(landing.id);
    if (requester === null) continue;
    const { parts: tools, settings } = await openLanding(parts, job, { ...place, opened });
    // Nobody lifts it by a comment, whatever the ledger says.
    const outcome = await landPull(tools, settings(requester), { ...landing, allowProtected: false });
    const { seen } = outcome;
    // A branch of koryph's own goes afterwards.
    if (
      outcome.kind === "landed" &&
      landing.pull !== null &&
      seen !== null &&
      beadOfBranch(seen.head) !== null
    )
      await parts.jobs.follow(job, { pull: landing.pull, head: outcome.head });
    else if (outcome.kind !== "waiting" && outcome.kind !== "held") await parts.jobs.tell(job);
    // Late, as it is only for show.
    await showLanding(parts, job, { ...place, opened, repo: tools.repo }, outcome);
    if (outcome.kind === "waiting") {
      if (moved) await lookAtRest(parts, job, line.slice(index + 1));
      return waitMs(outcome.unmet);
    }
    moved ||= outcome.kind !== "held" && outcome.kind !== "stopped";
    if (outcome.kind !== "held" && outcome.kind !== "stopped") await dropJobRefs(tools);
    if (outcome.kind === "stopped") return LATER_MS;
    if (outcome.kind === "held") held = HELD_MS;
  }
  return held;
}

/** They have come nearer, and it is not their turn yet: nobody else shows it. */
async function lookAtRest(
  { looks }: LandingParts,
  at: InstalledPlace,
  behind: readonly { readonly pull: number | null }[],
): Promise<void> {
  for (const { pull } of behind) if (pull !== null) await looks.start(at, pull);
}

function waitMs(unmet: readonly PullRefusal[]): number {
  return unmet.every(({ code }) => code === "head_not_shown") ? SOON_MS : LATER_MS;
}

interface LandedParts {
  readonly places: {
    whereInstalled(place: InstalledPlace, act: (pulls: LandedPulls) => Promise<void>): Promise<void>;
  };
  readonly now: () => number;
}

type LandedPulls = Parameters<typeof tidyLanded>[0];

/** Waits until GitHub shows a landed pull request as merged; only then its branch goes. */
export async function handleLanded(
  { places, now }: LandedParts,
  { payload }: Pick<Job, "payload">,
): Promise<void> {
  const { data: job } = LandedJob.safeParse(JSON.parse(payload));
  if (job === undefined) throw new Hopeless("a landed pull request that cannot be read");
  let waits = false;
  await places.whereInstalled(job, async (pulls) => {
    const shown = await tidyLanded(pulls, job);
    waits = shown === "open" && now() - job.at < MERGED_WITHIN_MS;
  });
  if (waits) throw new TryLater("GitHub does not show it as merged yet", now() + SOON_MS);
}
