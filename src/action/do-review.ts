import { join } from "node:path";
import * as core from "@actions/core";
import { remoteClone } from "../adapters/git/pulls/remote-clone.js";
import { GithubCheckRuns } from "../adapters/github/reviews/github-check-runs.js";
import { GithubReviews } from "../adapters/github/reviews/github-reviews.js";
import { pinnedAccounts } from "../adapters/home/pinned-accounts.js";
import { PullAnalysisFiles } from "../adapters/home/pull-analysis-files.js";
import { openRuntime } from "../adapters/runtimes/open-runtime.js";
import { jobAdvice, jobLines } from "../core/replies/surfaces/job-words.js";
import { outcomeCode } from "../core/review/pull/decide-analysis.js";
import { UserError } from "../lib/user-error.js";
import type { TakenJob } from "../pulls/jobs/take-job.js";
import { analysePull } from "../pulls/review/analyse-pull.js";
import { READER } from "../wiring/reader-identity.js";
import { reviewDigest, wireReviewer, withPullLocked } from "../wiring/wire-reviewer.js";
import type { RunnerTools } from "./do-job.js";
import { whileAlive } from "./while-alive.js";

/** Has a reviewer read the pull request, and posts what it found. */
export async function doReview(tools: RunnerTools, { id, pull }: TakenJob): Promise<void> {
  const { project, home, repository, runId, octokit, url, gitEnv, ledger, pulls } = tools;
  const { config } = project;
  const accounts = await pinnedAccounts(home, config.project_id);
  const host = {
    ...{ config, home, ledger, pulls, identity: READER, now: () => new Date() },
    analyses: new PullAnalysisFiles(home.pullsFolder(config.project_id)),
    clones: remoteClone({ repo: home.repository(config.project_id), identity: READER, url, env: gitEnv }),
    usualContainment: "required" as const,
    runtime: () => openRuntime(config.default_runtime, { ...project, accounts }),
    beadOf: async () => null,
  };
  const publish = {
    ...{ pulls, digest: reviewDigest, reviews: new GithubReviews(octokit, repository) },
    checks: new GithubCheckRuns(octokit, repository),
  };
  const file = join(home.projectHome(config.project_id), `job-${runId}.alive`);
  const since = Date.now();
  const outcome = await whileAlive(file, (life) => {
    const during = {
      livenessFile: life.file,
      leaseSeconds: life.seconds,
      abort: life.abort,
      report: () => {},
    };
    const review = wireReviewer(host, during);
    return withPullLocked(host, pull, () => analysePull({ review, publish }, pull, since));
  });
  const code = outcome === null ? "interrupted" : outcomeCode(outcome);
  await ledger.observe([{ type: "job.done", data: { job: id, code } }]);
  await ledger.share("now");
  if (outcome?.kind !== "analysed" || outcome.verdict === "degraded")
    throw UserError.of(jobAdvice.failed(code, ""));
  const line = jobLines.done(pull, outcome.head, code, outcome.findings);
  core.info(line);
  await core.summary.addRaw(`${line}\n`).write();
}
