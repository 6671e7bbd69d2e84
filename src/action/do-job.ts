import { createHash } from "node:crypto";
import { join } from "node:path";
import * as core from "@actions/core";
import { GitLedger } from "../adapters/git/ledger/git-ledger.js";
import { remoteClone } from "../adapters/git/pulls/remote-clone.js";
import { askRole } from "../adapters/github/ask-role.js";
import { GithubPulls } from "../adapters/github/github-pulls.js";
import { repositoryAt } from "../adapters/github/repository-at.js";
import { GithubCheckRuns } from "../adapters/github/reviews/github-check-runs.js";
import { GithubReviews } from "../adapters/github/reviews/github-reviews.js";
import { gitTokenEnv } from "../adapters/github/runners/git-token-env.js";
import { GithubWorkflows } from "../adapters/github/runners/github-workflows.js";
import { tokenClient } from "../adapters/github/token-client.js";
import { readWriting } from "../adapters/github/writing.js";
import { makeFolder, openHome } from "../adapters/home/koryph-home.js";
import { PullAnalysisFiles } from "../adapters/home/pull-analysis-files.js";
import type { Project } from "../adapters/project/open-project.js";
import { openRuntime } from "../adapters/runtimes/open-runtime.js";
import type { ActionInputs } from "../core/config/action-inputs.js";
import { jobAdvice, jobLines } from "../core/replies/surfaces/job-words.js";
import { outcomeCode } from "../core/review/pull/decide-analysis.js";
import { UserError } from "../lib/user-error.js";
import { analysePull } from "../pulls/review/analyse-pull.js";
import { takeJob } from "../pulls/review/take-job.js";
import { startLiveness } from "../wiring/start-liveness.js";
import { reviewDigest, wireReviewer, withPullLocked } from "../wiring/wire-reviewer.js";

/** Who the commit is by that a reviewer reads; it leaves the runner never. */
const READER = { name: "koryph", email: "koryph@koryph.invalid" };

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Does what the App has asked this runner for, if all that must agree does. */
export async function doJob(project: Project, inputs: ActionInputs, env: NodeJS.ProcessEnv): Promise<void> {
  const { token, asked, repository, apiUrl, serverUrl, runId } = needed(inputs, env);
  const { config } = project;
  const home = await openHome(env);
  const projectHome = await makeFolder(home.projectHome(config.project_id));
  const client = await tokenClient({ apiUrl, token });
  const octokit = async () => client;
  const at = repositoryAt(repository);
  const url = `${serverUrl}/${repository}.git`;
  const gitEnv = async () => gitTokenEnv(serverUrl, token);
  const pulls = new GithubPulls(octokit, repository);
  const ledger = new GitLedger({
    ...{ gitDir: home.ledger(config.project_id), remote: url, env: gitEnv, ref: config.ledger.ref },
    ...{ actor: `run ${runId}`, now: Date.now },
  });
  const { pull } = await takeJob(
    {
      ...{ ledger, pulls, workflows: new GithubWorkflows(octokit, repository), digest: sha256 },
      threads: {
        read: (comment) => readWriting(client, at, comment),
        role: (login) => askRole(client, at, login),
      },
    },
    { inputs: asked, run: runId, repository, config },
  );

  const liveness = await startLiveness(join(projectHome, `job-${runId}.alive`), "process");
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
    await ledger.observe([{ type: "job.done", data: { job: asked.job, code } }]);
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

/** What only the App and the runner can give. The token is never shown. */
function needed(inputs: ActionInputs, env: NodeJS.ProcessEnv) {
  const { job, kind, head, base, attempt, token } = inputs;
  const { GITHUB_REPOSITORY: repository, GITHUB_API_URL: apiUrl, GITHUB_SERVER_URL: serverUrl } = env;
  const runId = Number(env.GITHUB_RUN_ID);
  const given = { job, kind, head, base, attempt, token, repository, apiUrl, serverUrl };
  const names = { repository: "GITHUB_REPOSITORY", apiUrl: "GITHUB_API_URL", serverUrl: "GITHUB_SERVER_URL" };
  const missing = Object.entries(given)
    .filter(([, value]) => value === undefined || value === "")
    .map(([name]) => names[name as keyof typeof names] ?? name);
  if (!Number.isSafeInteger(runId)) missing.push("GITHUB_RUN_ID");
  if (!job || !kind || !head || !base || !attempt || !token || !repository || !apiUrl || !serverUrl)
    throw UserError.of(jobAdvice.missing(missing));
  if (missing.length > 0) throw UserError.of(jobAdvice.missing(missing));
  core.setSecret(token);
  return { token, asked: { job, kind, head, base, attempt }, repository, apiUrl, serverUrl, runId };
}
