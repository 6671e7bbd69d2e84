import { type Call, HttpRefusal, paged, type Route, repositoryOf } from "../../http/route.js";
import { renderHeadCommit } from "../../render/check-suite.js";
import { renderJobs, renderWorkflowRun } from "../../render/workflow-run.js";
import type { WorkflowRun } from "../../world/checks/workflow-run.js";

const ALL = "/repos/{owner}/{repo}/actions/runs";
const READ = { actions: "read" } as const;

export const workflowRunRoutes: readonly Route[] = [
  {
    operation: "actions/list-workflow-runs-for-repo",
    method: "GET",
    path: ALL,
    needs: READ,
    answer: async (call) => {
      const found = repositoryOf(call).workflowRuns.filter((run) => fits(call, run));
      const { items, lastPage } = paged(call, found.toReversed());
      const workflow_runs = await Promise.all(items.map((run) => renderWhole(call, run)));
      return { status: 200, body: { total_count: found.length, workflow_runs }, lastPage };
    },
  },
  {
    operation: "actions/get-workflow-run",
    method: "GET",
    path: `${ALL}/{run_id}`,
    needs: READ,
    answer: async (call) => ({ status: 200, body: await renderWhole(call, runOf(call)) }),
  },
  {
    operation: "actions/list-jobs-for-workflow-run",
    method: "GET",
    path: `${ALL}/{run_id}/jobs`,
    needs: READ,
    answer: (call) => {
      const all = renderJobs(call.world, repositoryOf(call), runOf(call));
      const { items: jobs, lastPage } = paged(call, all);
      return { status: 200, body: { total_count: all.length, jobs }, lastPage };
    },
  },
];

export async function renderWhole(call: Call, run: WorkflowRun) {
  const repository = repositoryOf(call);
  const head_commit = await renderHeadCommit(repository, run.headSha);
  return { ...renderWorkflowRun(call.world, repository, run), head_commit };
}

function runOf(call: Call): WorkflowRun {
  const found = repositoryOf(call).workflowRuns.find(({ id }) => id === Number(call.params.run_id));
  if (found === undefined) throw new HttpRefusal(404, "Not Found");
  return found;
}

export function fits({ query }: Call, run: WorkflowRun): boolean {
  const is = (name: string, ...values: readonly (string | null)[]) =>
    !query.has(name) || values.includes(query.get(name));
  return (
    is("head_sha", run.headSha) &&
    is("branch", run.headBranch) &&
    is("event", run.event) &&
    is("actor", run.actor) &&
    is("status", run.status, run.conclusion) &&
    is("check_suite_id", String(run.suite))
  );
}
