import * as core from "@actions/core";
import { GithubPullRecord } from "../adapters/github/pulls/github-pull-record.js";
import { openGivenSigner } from "../adapters/sign/open-signer.js";
import { socketsOf } from "../adapters/sign/project-signer.js";
import { jobAdvice, jobLines } from "../core/replies/surfaces/job-words.js";
import { UserError } from "../lib/user-error.js";
import { rebaseForApp } from "../pulls/jobs/rebase-for-app.js";
import type { TakenJob } from "../pulls/jobs/take-job.js";
import type { RunnerTools } from "./do-job.js";

/** Replays and signs commits with a key that only this job has. Nothing of the repository is run. */
export async function doRebase(tools: RunnerTools, job: TakenJob, key: string): Promise<void> {
  const { home, octokit, repository, ledger, env } = tools;
  const signer = await openGivenSigner(key, { socketFolder: socketsOf(home), env });
  try {
    const [repo, signing] = [tools.pullRepo(null), tools.pullRepo(signer)];
    const record = new GithubPullRecord(octokit, repository);
    const end = await rebaseForApp({ repo, signing, record }, job);
    const code = end.kind === "failed" ? "not_rebased" : "rebased";
    await ledger.observe([{ type: "job.done", data: { job: job.id, code } }]);
    await ledger.share("now");
    if (end.kind === "failed") throw UserError.of(jobAdvice.failed(code, end.why));
    const line = jobLines.rebased(job.pull, end.head, end.signed);
    core.info(line);
    await core.summary.addRaw(`${line}\n`).write();
  } finally {
    await signer.close();
  }
}
