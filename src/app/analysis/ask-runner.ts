import { GithubWorkflows } from "../../adapters/github/runners/github-workflows.js";
import type { ProjectConfig } from "../../core/config/project-schema.js";
import { judgeRun, nextRunnerStep } from "../../core/jobs/runner-run.js";
import type { AnalysisFailure, AnalysisOutcome } from "../../core/review/pull/decide-analysis.js";
import type { Workflows } from "../../ports/check-runs.js";
import { TryLater } from "../../ports/try-later.js";
import type { AnalysisJob, RunnerAsk } from "./analysis-jobs.js";
import type { AnalysisParts } from "./handle-analysis.js";

/** Webhooks tell of runs that ended; this is for those that never come. */
const LOOK_MS = 60_000;

export interface RunnerJob {
  readonly job: AnalysisJob;
  readonly config: Pick<ProjectConfig, "jobs">;
  readonly workflow: string;
}

/**
 * Has a runner do it, and believes nothing but the run that was dispatched here, as GitHub shows it. Throws `TryLater`
 * until that has ended, or has been silent for too long.
 */
export async function askRunner(
  parts: Pick<AnalysisParts, "app" | "jobs" | "botSlug" | "now">,
  { job, config, workflow }: RunnerJob,
): Promise<AnalysisOutcome> {
  const { jobs, now } = parts;
  const octokit = () => parts.app.asInstallation(job.installation);
  const workflows = new GithubWorkflows(octokit, job.repository.fullName);
  const asked = await jobs.askOf(job.request);
  const failed = (why: AnalysisFailure): AnalysisOutcome => {
    return { kind: "unanalysed", at: new Date(now()).toISOString(), why };
  };
  const step = nextRunnerStep({
    asks: asked?.attempt ?? 0,
    run: await runState(workflows, asked, { app: await parts.botSlug(), workflow }),
    ageMs: now() - (asked?.at ?? 0),
    limitMs: config.jobs.minutes * 60_000,
  });
  const url = asked?.url ?? null;
  switch (step) {
    case "wait":
      throw new TryLater("a runner is at it", now() + LOOK_MS);
    case "believe": {
      const at = new Date(now()).toISOString();
      return { kind: "analysed", at, head: job.head, verdict: null, findings: 0, url };
    }
    case "fail":
      return failed({ code: "runner_failed", url });
    case "give-up":
      return failed({ code: "runner_silent", url });
    case "ask": {
      const attempt = (asked?.attempt ?? 0) + 1;
      // Written down first: whoever dies after it does not ask for ever.
      await jobs.noteAsk(job.request, { attempt, at: now(), run: null, url });
      const { request, head, base } = job;
      const sent = await workflows.dispatch(workflow, await workflows.defaultBranch(), {
        ...{ job: request, kind: "review", head, base, attempt: `${attempt}` },
      });
      if (sent.kind === "refused") return failed({ code: "runner_refused", workflow, status: sent.status });
      await jobs.noteAsk(request, { attempt, at: now(), run: sent.run, url: sent.url });
      throw new TryLater("a runner was asked", now() + LOOK_MS);
    }
  }
}

async function runState(
  workflows: Workflows,
  asked: RunnerAsk | null,
  { app, workflow }: { readonly app: string; readonly workflow: string },
): Promise<Parameters<typeof nextRunnerStep>[0]["run"]> {
  if (asked === null || asked.run === null) return "lost";
  const defaultBranch = await workflows.defaultBranch();
  return judgeRun(await workflows.run(asked.run), { app, workflow, defaultBranch });
}
