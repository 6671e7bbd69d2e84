import { createHash } from "node:crypto";
import type { JsonObject } from "../../http/json.js";
import { actionsApp } from "../actions-app.js";
import type { CheckRun, Repository } from "../state.js";
import type { World } from "../world.js";
import { tellCheckRun, tellSuiteEnd } from "./tell-check.js";
import { tellWorkflowRun } from "./tell-workflow-run.js";

/** A run of a workflow. Its jobs are check runs of the Actions app, which name the run. */
export interface WorkflowRun {
  readonly id: number;
  readonly number: number;
  /** `.github/workflows/ci.yml`; all its runs share an id of the workflow. */
  readonly path: string;
  readonly workflowId: number;
  readonly event: string;
  readonly headSha: string;
  readonly headBranch: string;
  /** Who made it start, and with what. */
  readonly actor: string;
  readonly inputs: JsonObject;
  /** Every run has a check suite of its own. */
  readonly suite: number;
  status: "queued" | "in_progress" | "completed";
  conclusion: string | null;
  readonly createdAt: string;
  updatedAt: string;
}

export interface NewWorkflowRun
  extends Pick<WorkflowRun, "path" | "event" | "headSha" | "headBranch" | "actor" | "inputs"> {
  readonly jobs: readonly string[];
}

/** The same for all runs of a file, and for the file before its first one. */
export function workflowIdOf(path: string): number {
  return 100_000_000 + Number.parseInt(createHash("sha256").update(path).digest("hex").slice(0, 7), 16);
}

/** A run that waits for somebody to complete it. */
export async function startWorkflowRun(
  world: World,
  repository: Repository,
  wanted: NewWorkflowRun,
): Promise<WorkflowRun> {
  const { jobs, ...given } = wanted;
  const earlier = repository.workflowRuns.filter(({ path }) => path === given.path);
  const at = world.timestamp();
  const run: WorkflowRun = {
    ...{ id: world.newId(), ...given, number: earlier.length + 1, suite: world.newId() },
    workflowId: workflowIdOf(given.path),
    ...{
      status: jobs.length === 0 ? "queued" : "in_progress",
      conclusion: null,
      createdAt: at,
      updatedAt: at,
    },
  };
  repository.workflowRuns.push(run);
  await tellWorkflowRun(world, repository, { run, action: "requested" });
  for (const name of jobs) addJob(world, repository, run, name);
  return run;
}

/** Ends jobs as told, and those of no name as the rest; jobs that were not there yet are added. */
export async function completeWorkflowRun(
  world: World,
  repository: Repository,
  {
    run,
    jobs,
    rest,
  }: { readonly run: WorkflowRun; readonly jobs: Readonly<Record<string, string>>; readonly rest: string },
): Promise<void> {
  if (run.status === "completed") throw new Error(`workflow run ${run.id} has ended already`);
  const there = () => jobsOf(repository, run);
  for (const name of Object.keys(jobs))
    if (!there().some((job) => job.name === name)) addJob(world, repository, run, name);
  const at = world.timestamp();
  for (const job of there()) {
    Object.assign(job, { status: "completed", conclusion: jobs[job.name] ?? rest, completedAt: at });
    tellCheckRun(world, repository, { run: job, sender: run.actor, action: "completed" });
  }
  const last = there().at(-1);
  if (last !== undefined) await tellSuiteEnd(world, repository, { run: last, sender: run.actor });
  const ends = there().map(({ conclusion }) => conclusion ?? "");
  Object.assign(run, { status: "completed", conclusion: summed(ends, rest), updatedAt: at });
  await tellWorkflowRun(world, repository, { run, action: "completed" });
}

/** The jobs of a run, in the order they were made. */
export function jobsOf({ checkRuns }: Repository, { id }: WorkflowRun): CheckRun[] {
  return checkRuns.filter(({ workflowRun }) => workflowRun === id);
}

/** One job that went wrong makes the run go wrong; where all were skipped it was skipped. */
function summed(ends: readonly string[], rest: string): string {
  for (const bad of ["failure", "timed_out", "cancelled", "action_required"])
    if (ends.includes(bad)) return bad;
  if (ends.length === 0) return rest;
  return ends.every((end) => end === "skipped") ? "skipped" : "success";
}

function addJob(world: World, repository: Repository, run: WorkflowRun, name: string): void {
  const id = world.newId();
  const job: CheckRun = {
    ...{ id, app: actionsApp(world).id, name, headSha: run.headSha, workflowRun: run.id, suite: run.suite },
    ...{ externalId: "", status: "in_progress", conclusion: null, annotations: [], actions: [] },
    detailsUrl: `${world.url}/${repository.owner}/${repository.name}/actions/runs/${run.id}/job/${id}`,
    ...{ startedAt: world.timestamp(), completedAt: null },
    output: { title: null, summary: null, text: null },
  };
  repository.checkRuns.push(job);
  tellCheckRun(world, repository, { run: job, sender: run.actor, action: "created" });
}
