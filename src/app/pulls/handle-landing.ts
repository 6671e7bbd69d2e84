import { createHash } from "node:crypto";
import { GitPullRepo } from "../../adapters/git/pulls/git-pull-repo.js";
import { GitReceipts } from "../../adapters/git/receipts/git-receipts.js";
import type { GithubApp } from "../../adapters/github/app-client.js";
import type { GitCredentials } from "../../adapters/github/git-credentials.js";
import { GithubBaseConditions } from "../../adapters/github/pulls/github-base-conditions.js";
import { type KoryphHome, makeFolder } from "../../adapters/home/koryph-home.js";
import type { PullRefusal } from "../../core/land/pull/pull-refusal.js";
import type { Job } from "../../ports/inbox.js";
import type { Signer } from "../../ports/signer.js";
import { Hopeless, TryLater } from "../../ports/try-later.js";
import { landPull } from "../../pulls/land-pull.js";
import { LandedJob, LandJob, type LandJobs } from "./land-jobs.js";
import type { InstalledPlace, PullPlace, PullPlaces } from "./pull-places.js";

export interface LandingParts {
  readonly places: PullPlaces;
  readonly jobs: LandJobs;
  readonly app: GithubApp;
  readonly credentials: GitCredentials;
  readonly home: KoryphHome;
  readonly botLogin: () => Promise<string>;
  /** The App's own key; never one that a repository names. */
  readonly signer: Signer | null;
  /** Of this koryph. */
  readonly version: string;
  readonly now: () => number;
}

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
  for (const landing of line) {
    const requester = await parts.jobs.requesterOf(landing.id);
    if (requester === null) continue;
    const outcome = await landPull(
      {
        ...{ ledger: opened.ledger, pulls: place.pulls, record: place.record, threads: place.threads },
        conditions: new GithubBaseConditions(
          () => parts.app.asInstallation(job.installation),
          job.repository.fullName,
        ),
        ...(await openPullRepo(parts, job, opened.config.project_id)),
        digest: (text) => createHash("sha256").update(text).digest("hex"),
        now: parts.now,
      },
      {
        ...{ repository: job.repository.fullName, config: opened.config, mayPushWorkflows: false },
        ...{ publicKey: parts.signer?.publicKey ?? null, requester, gated: null },
      },
      landing,
    );
    switch (outcome.kind) {
      case "landed":
        if (landing.pull !== null) await parts.jobs.follow(job, { pull: landing.pull, head: outcome.head });
        break;
      case "gone":
      case "refused":
        await parts.jobs.tell(job);
        break;
      case "waiting":
        return waitMs(outcome.unmet);
      case "held":
        held = HELD_MS;
    }
  }
  return held;
}

function waitMs(unmet: readonly PullRefusal[]): number {
  return unmet.every(({ code }) => code === "head_not_shown") ? SOON_MS : LATER_MS;
}

async function openPullRepo(
  { app, credentials, home, botLogin, signer, version, now }: LandingParts,
  { installation, repository }: InstalledPlace,
  project: string,
): Promise<{ readonly repo: GitPullRepo; readonly receipts: GitReceipts }> {
  const { gitDir, scratch } = home.appRepository(repository.id);
  await makeFolder(scratch);
  const login = await botLogin();
  const url = `${app.serverUrl}/${repository.fullName}.git`;
  const env = () => credentials.env(installation, repository.fullName);
  const identity = { name: login, email: `${login}@users.noreply.github.com` };
  return {
    repo: new GitPullRepo({ gitDir, scratch, signer, url, env, identity }),
    receipts: new GitReceipts({
      repo: gitDir,
      reach: async () => ({ url, pushUrl: url, env: await env() }),
      where: { project, repository: url, koryph: version },
      ...{ signer, now },
    }),
  };
}

/** GitHub marks a pull request as merged once its head is on the base branch; it may take a while, or forget it. */
const MERGED_WITHIN_MS = 300_000;

/** Waits until GitHub shows a landed pull request as merged; only then its branch goes. */
export async function handleLanded(
  { places, now }: Pick<LandingParts, "places" | "now">,
  { payload }: Pick<Job, "payload">,
): Promise<void> {
  const { data: job } = LandedJob.safeParse(JSON.parse(payload));
  if (job === undefined) throw new Hopeless("a landed pull request that cannot be read");
  let waits = false;
  await places.where(job, async ({ pulls }) => {
    const pull = await pulls.read(job.pull);
    if (pull === null) return;
    waits = pull.merged === null && pull.state === "open" && now() - job.at < MERGED_WITHIN_MS;
    if (pull.merged === null || pull.head.fork || !pull.head.branch.startsWith("agent/")) return;
    await pulls.deleteBranch(pull.head.branch, job.head);
  });
  if (waits) throw new TryLater("GitHub does not show it as merged yet", now() + SOON_MS);
}
