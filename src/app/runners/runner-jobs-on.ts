import type { GithubApp } from "../../adapters/github/app-client.js";
import { GithubWorkflows } from "../../adapters/github/runners/github-workflows.js";
import type { ProjectConfig } from "../../core/config/project-schema.js";
import { judgeRun, nextRunnerStep } from "../../core/jobs/runner-run.js";
import type { JobKind } from "../../core/model/job-kind.js";
import type { Workflows } from "../../ports/check-runs.js";
import type { CommentMemory } from "../../ports/comment-memory.js";
import type { AskedJob, RunnerAnswer, RunnerJobs } from "../../pulls/jobs/runner-jobs.js";
import type { InstalledPlace } from "../pulls/pull-places.js";

export interface RunnerParts {
  /** Not where what was asked for lies in the ledger: whoever can push could name another run. */
  readonly mayAsk: boolean;
  readonly app: GithubApp;
  readonly memory: Pick<CommentMemory, "decide" | "decided">;
  /** The App's name as it stands in its address. */
  readonly botSlug: () => Promise<string>;
  readonly now: () => number;
}

/** How a runner was last asked. It is kept here: what the ledger says of runs, whoever can push can write. */
interface RunnerAsk {
  readonly attempt: number;
  readonly at: number;
  /** The run that GitHub answered with; null when it is not known that there is one. */
  readonly run: number | null;
  readonly url: string | null;
}

/** A place among decisions that no command has. */
const PLACE = 0;

/** Undefined where the project names no workflow that could do anything. */
export function runnerJobsOn(
  parts: RunnerParts,
  place: InstalledPlace,
  { jobs }: Pick<ProjectConfig, "jobs">,
): RunnerJobs | undefined {
  const { workflow, kinds, app: named, minutes } = jobs;
  if (workflow === undefined || !parts.mayAsk) return undefined;
  const octokit = () => parts.app.asInstallation(place.installation);
  const workflows = new GithubWorkflows(octokit, place.repository.fullName);
  return {
    kinds: new Set<JobKind>(kinds),
    async ask(job) {
      const own = await parts.botSlug();
      // Its runner would refuse, an hour of waiting later.
      if (named.toLowerCase() !== own.toLowerCase()) return { kind: "other-app", named, own };
      return askRunner(parts, workflows, { job, workflow, own, limitMs: minutes * 60_000 });
    },
  };
}

interface Asking {
  readonly job: AskedJob;
  readonly workflow: string;
  readonly own: string;
  readonly limitMs: number;
}

/** Believes nothing but the run that was dispatched here, as GitHub shows it. */
async function askRunner(
  { memory, now }: RunnerParts,
  workflows: Workflows,
  { job, workflow, own, limitMs }: Asking,
): Promise<RunnerAnswer> {
  const key = `runner ${job.id}`;
  const note = (ask: RunnerAsk) => memory.decide(key, PLACE, JSON.stringify(ask), now());
  const found = await memory.decided(key, PLACE);
  const asked = found === null ? null : (JSON.parse(found) as RunnerAsk);
  const url = asked?.url ?? null;
  const step = nextRunnerStep({
    asks: asked?.attempt ?? 0,
    run: await runState(workflows, asked?.run ?? null, { job, workflow, own }),
    ageMs: now() - (asked?.at ?? 0),
    limitMs,
  });
  switch (step) {
    case "wait":
      return { kind: "waits", url };
    case "believe":
      return { kind: "done", url };
    case "fail":
      return { kind: "failed", url };
    case "give-up":
      return { kind: "silent", url };
    case "ask": {
      const attempt = (asked?.attempt ?? 0) + 1;
      // Written down first: whoever dies after it does not ask for ever.
      await note({ attempt, at: now(), run: null, url });
      const { id, kind, head, base } = job;
      const inputs = { job: id, kind, head, base, attempt: `${attempt}` };
      const sent = await workflows.dispatch(workflow, await workflows.defaultBranch(), inputs);
      if (sent.kind === "refused") return { kind: "refused", workflow, status: sent.status };
      await note({ attempt, at: now(), run: sent.run, url: sent.url });
      return { kind: "waits", url: sent.url };
    }
  }
}

async function runState(
  workflows: Workflows,
  run: number | null,
  { job, workflow, own }: Pick<Asking, "job" | "workflow" | "own">,
): Promise<Parameters<typeof nextRunnerStep>[0]["run"]> {
  if (run === null) return "lost";
  const defaultBranch = await workflows.defaultBranch();
  const shown = await workflows.run(run);
  const judged = judgeRun(shown, { app: own, workflow, defaultBranch });
  if (judged !== "succeeded" || shown === null) return judged;
  const [isOn, end] = await Promise.all([
    workflows.isOn(defaultBranch, shown.headSha),
    // A run succeeds whichever of its jobs did something.
    workflows.jobEnd(run, job.kind),
  ]);
  return isOn && end === "success" ? "succeeded" : "failed";
}
