import type { JsonObject } from "../http/json.js";
import { jobsOf, type WorkflowRun } from "../world/checks/workflow-run.js";
import type { CheckRun, Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { pageAddress } from "./address.js";
import { renderPulls } from "./check.js";
import { renderRepository, repositoryUrl } from "./repository.js";
import { nodeId, renderUser } from "./user.js";

/** The head's commit is added where an answer needs it. */
export function renderWorkflowRun(world: World, repository: Repository, run: WorkflowRun): JsonObject {
  const url = `${repositoryUrl(world, repository)}/actions/runs/${run.id}`;
  const repo = renderRepository(world, repository);
  return {
    id: run.id,
    node_id: nodeId("WorkflowRun", run.id),
    name: workflowName(run),
    path: run.path,
    display_title: workflowName(run),
    ...{ run_number: run.number, run_attempt: 1, event: run.event, previous_attempt_url: null },
    ...{ status: run.status, conclusion: run.conclusion, workflow_id: run.workflowId },
    ...{ head_branch: run.headBranch, head_sha: run.headSha, head_commit: null, referenced_workflows: [] },
    check_suite_id: run.suite,
    check_suite_node_id: nodeId("CheckSuite", run.suite),
    url,
    html_url: `${pageAddress(world, repository)}/actions/runs/${run.id}`,
    pull_requests: renderPulls(world, repository, run.headSha),
    ...{ created_at: run.createdAt, updated_at: run.updatedAt, run_started_at: run.createdAt },
    actor: renderUser(world, run.actor),
    triggering_actor: renderUser(world, run.actor),
    ...{ jobs_url: `${url}/jobs`, logs_url: `${url}/logs`, artifacts_url: `${url}/artifacts` },
    ...{ cancel_url: `${url}/cancel`, rerun_url: `${url}/rerun` },
    check_suite_url: `${repositoryUrl(world, repository)}/check-suites/${run.suite}`,
    workflow_url: `${repositoryUrl(world, repository)}/actions/workflows/${run.workflowId}`,
    ...{ repository: repo, head_repository: repo },
  };
}

function workflowName({ path }: Pick<WorkflowRun, "path">): string {
  return path.replace(/^.*\//, "").replace(/\.ya?ml$/, "");
}

/** The workflow that a run is of. */
export function renderWorkflow(
  world: World,
  repository: Repository,
  run: Pick<WorkflowRun, "path" | "workflowId">,
): JsonObject {
  const { workflowId: id, path } = run;
  return {
    ...{ id, node_id: nodeId("Workflow", id), name: workflowName(run), path },
    state: repository.switchedOff?.[path] ?? "active",
    ...{ created_at: repository.createdAt, updated_at: repository.createdAt },
    url: `${repositoryUrl(world, repository)}/actions/workflows/${id}`,
    html_url: `${pageAddress(world, repository)}/blob/${repository.defaultBranch}/${path}`,
    badge_url: `${pageAddress(world, repository)}/workflows/${encodeURIComponent(workflowName(run))}/badge.svg`,
  };
}

/** Jobs as the Actions API has them: each goes by the id of its check run. */
export function renderJobs(world: World, repository: Repository, run: WorkflowRun): JsonObject[] {
  return jobsOf(repository, run).map((job) => renderJob(world, repository, { run, job }));
}

function renderJob(
  world: World,
  repository: Repository,
  { run, job }: { readonly run: WorkflowRun; readonly job: CheckRun },
): JsonObject {
  const url = repositoryUrl(world, repository);
  return {
    ...{ id: job.id, node_id: nodeId("CheckRun", job.id), run_id: run.id, run_attempt: 1, name: job.name },
    run_url: `${url}/actions/runs/${run.id}`,
    ...{ head_sha: run.headSha, head_branch: run.headBranch, workflow_name: workflowName(run) },
    url: `${url}/actions/jobs/${job.id}`,
    html_url: job.detailsUrl,
    ...{ status: job.status, conclusion: job.conclusion, steps: [], labels: ["self-hosted"] },
    ...{ created_at: run.createdAt, started_at: job.startedAt, completed_at: job.completedAt },
    check_run_url: `${url}/check-runs/${job.id}`,
    ...{ runner_id: null, runner_name: null, runner_group_id: null, runner_group_name: null },
  };
}
