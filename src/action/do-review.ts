import { join } from "node:path";
import * as core from "@actions/core";
import { remoteClone } from "../adapters/git/pulls/remote-clone.js";
import { GithubCheckRuns } from "../adapters/github/reviews/github-check-runs.js";
import { GithubReviews } from "../adapters/github/reviews/github-reviews.js";
import { PullAnalysisFiles } from "../adapters/home/pull-analysis-files.js";
import { openRuntime } from "../adapters/runtimes/open-runtime.js";
import { jobAdvice, jobLines } from "../core/replies/surfaces/job-words.js";
import { outcomeCode } from "../core/review/pull/decide-analysis.js";
import { UserError } from "../lib/user-error.js";
import type { TakenJob } from "../pulls/jobs/take-job.js";
import { analysePull } from "../pulls/review/analyse-pull.js";
import { startLiveness } from "../wiring/start-liveness.js";
import { reviewDigest, wireReviewer, withPullLocked } from "../wiring/wire-reviewer.js";
import type { RunnerTools } from "./do-job.js";

/** Who the commit is by that a reviewer reads; it leaves the runner never. */
const READER = { name: "koryph", email: "koryph@koryph.invalid" };

/** Has a reviewer read the pull request, and posts what it found. */
export async function doReview(tools: RunnerTools, { id, pull }: TakenJob): Promise<void> {
  const { project, home, repository, runId, octokit, url, gitEnv, ledger, pulls } = tools;
  const { config } = project;
  const file = join(home.projectHome(config.project_id), `job-${runId}.alive`);
  const liveness = await startLiveness(file, "process");
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => abort.abort());
  const host = {
    ...{ config, home, ledger, pulls, identity: READER, now: () => new Date() },
    analyses: new PullAnalysisFiles(home.pullsFolder(config.project_id)),
    clones: remoteClone({ repo: home.repository(config.project_id), identity: READER, url, env: gitEnv }),
    runtime: () => openRuntime(config.default_runtime, project),
    beadOf: async () => null,
  };
  const during = {
    ...{ livenessFile: liveness.file, leaseSeconds: liveness.seconds, abort: abort.signal, report: () => {} },
  };
  const publish = {
    ...{ pulls, digest: reviewDigest, reviews: new GithubReviews(octokit, repository) },
    checks: new GithubCheckRuns(octokit, repository),
  };
  try {
    const since = Date.now();
    const outcome = await withPullLocked(host, pull, () =>
      analysePull({ review: wireReviewer(host, during), publish }, pull, since),
    );
    const code = outcome === null ? "interrupted" : outcomeCode(outcome);
    await ledger.observe([{ type: "job.done", data: { job: id, code } }]);
    await ledger.share("now");
    if (outcome?.kind !== "analysed" || outcome.verdict === "degraded")
      throw UserError.of(jobAdvice.failed(code, ""));
    const line = jobLines.done(pull, outcome.head, code, outcome.findings);
    core.info(line);
    await core.summary.addRaw(`${line}\n`).write();
  } finally {
    liveness.end();
  }
}
