import { join } from "node:path";
import { accountsOfRepository } from "../../adapters/accounts/accounts-of-repository.js";
import { remoteClone } from "../../adapters/git/pulls/remote-clone.js";
import type { GitCredentials } from "../../adapters/github/git-credentials.js";
import { GithubCheckRuns } from "../../adapters/github/reviews/github-check-runs.js";
import { GithubReviews } from "../../adapters/github/reviews/github-reviews.js";
import { type KoryphHome, makeFolder } from "../../adapters/home/koryph-home.js";
import { PullAnalysisFiles } from "../../adapters/home/pull-analysis-files.js";
import { logWords } from "../../core/replies/app/serve.js";
import { type AnalysisOutcome, outcomeCode } from "../../core/review/pull/decide-analysis.js";
import { UserError } from "../../lib/user-error.js";
import type { Job } from "../../ports/inbox.js";
import { OutsideFault } from "../../ports/outside-fault.js";
import { Hopeless, TryLater } from "../../ports/try-later.js";
import { analysePull } from "../../pulls/review/analyse-pull.js";
import { READER } from "../../wiring/reader-identity.js";
import { type ReviewHost, reviewDigest, wireReviewer, withPullLocked } from "../../wiring/wire-reviewer.js";
import type { AppLog } from "../http/server-log.js";
import type { InstalledPlace, PullPlace, PullPlaces } from "../pulls/pull-places.js";
import { type RunnerParts, runnerJobsOn } from "../runners/runner-jobs-on.js";
import { analyseOnRunner } from "./analyse-on-runner.js";
import { AnalysisJob, type AnalysisJobs } from "./analysis-jobs.js";
import type { LocalAgents } from "./local-agents.js";

export interface AnalysisParts extends RunnerParts {
  readonly places: PullPlaces;
  readonly jobs: AnalysisJobs;
  readonly agents: LocalAgents;
  readonly credentials: Pick<GitCredentials, "env">;
  readonly home: KoryphHome;
  /** The server's own file, which it touches while it lives. */
  readonly liveness: { readonly file: string; readonly seconds: number };
  /** The server is about to stop. */
  readonly stopping: AbortSignal;
  readonly log: AppLog;
}

/** Has one pull request read by a reviewer, on this machine or on a runner, and says what came of it. */
export async function handleAnalysis(
  parts: AnalysisParts,
  { payload, receivedAt }: Pick<Job, "payload" | "receivedAt">,
): Promise<void> {
  const { data: job } = AnalysisJob.safeParse(JSON.parse(payload));
  if (job === undefined) throw new Hopeless("an analysis that cannot be read");
  if ((await parts.jobs.outcomeOf(job.request)) === null)
    await parts.places.where(job, async (place) => {
      if (await isSuperseded(job, place)) return;
      const outcome = await analyse(parts, job, { place, since: receivedAt });
      if (outcome !== null) await parts.jobs.end(job, outcome);
    });
  else await parts.jobs.tell(job);
}

/** A newer head has a job of its own, and what is closed needs none. */
async function isSuperseded({ pull, only }: AnalysisJob, { pulls }: PullPlace): Promise<boolean> {
  if (only === undefined) return false;
  const now = await pulls.read(pull);
  return now === null || now.state !== "open" || now.head.sha !== only;
}

/** Null where the repository is no project any more. */
async function analyse(
  parts: AnalysisParts,
  job: AnalysisJob,
  { place, since }: { readonly place: PullPlace; readonly since: number },
): Promise<AnalysisOutcome | null> {
  const { opened } = place;
  if (opened.kind === "refuse") return null;
  const failed = (): AnalysisOutcome => ({
    kind: "unanalysed",
    at: new Date(parts.now()).toISOString(),
    why: { code: "reviewer_failed" },
  });
  if (!parts.agents.mayServe(job.repository.fullName)) {
    const runner = runnerJobsOn(parts, job, opened.config);
    // Neither is there any more: the server was started anew, or the project file changed.
    return runner?.kinds.has("review") ? analyseOnRunner(runner, job, parts.now) : failed();
  }
  const { config, ledger } = opened;
  const octokit = () => parts.app.asInstallation(job.installation);
  const { fullName } = job.repository;
  const { file: livenessFile, seconds: leaseSeconds } = parts.liveness;
  const during = { livenessFile, leaseSeconds, abort: parts.stopping, report: () => {} };
  const publish = {
    ...{ pulls: place.pulls, digest: reviewDigest },
    reviews: new GithubReviews(octokit, fullName),
    checks: new GithubCheckRuns(octokit, fullName),
  };
  try {
    const host = await hostOf(parts, job, { config, ledger, pulls: place.pulls });
    const work = () => analysePull({ review: wireReviewer(host, during), publish }, job.pull, since);
    const outcome = await withPullLocked(host, job.pull, work);
    if (outcome === null) throw new TryLater("the server stops", parts.now());
    await opened.ledger.observe([
      { type: "job.done", data: { job: job.request, code: outcomeCode(outcome) } },
    ]);
    await opened.ledger.share("now");
    return outcome;
  } catch (error) {
    // What does not answer now may answer later; everything else is for the operator to put right.
    if (!(error instanceof UserError) || error instanceof OutsideFault) throw error;
    const about = { repository: fullName, pull: job.pull, hint: error.hint };
    parts.log.warn({ err: error, ...about }, logWords.notAnalysed());
    return failed();
  }
}

async function hostOf(
  { home: serverHome, agents, app, credentials, now }: AnalysisParts,
  { installation, repository }: InstalledPlace,
  { config, ledger, pulls }: Pick<ReviewHost, "config" | "ledger" | "pulls">,
): Promise<ReviewHost> {
  const home = serverHome.appAnalyses(repository.id);
  const accounts = await accountsOfRepository(serverHome, {
    ...{ project: config.project_id, repository: repository.fullName },
  });
  const projectHome = await makeFolder(home.projectHome(config.project_id));
  return {
    ...{ config, home, ledger, pulls, identity: READER, now: () => new Date(now()) },
    analyses: new PullAnalysisFiles(home.pullsFolder(config.project_id)),
    clones: remoteClone({
      ...{ repo: join(projectHome, "repo.git"), identity: READER },
      url: `${app.serverUrl}/${repository.fullName}.git`,
      env: () => credentials.env(installation, repository.fullName),
    }),
    usualContainment: "required",
    runtime: () => agents.runtime(config, accounts),
    // The App sees no tracker, so there are no criteria to judge by.
    beadOf: async () => null,
  };
}
