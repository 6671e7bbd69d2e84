import { type Call, HttpRefusal, paged, type Route, repositoryOf } from "../../http/route.js";
import { renderWorkflow } from "../../render/workflow-run.js";
import { workflowIdOf } from "../../world/checks/workflow-run.js";
import { fits, renderWhole } from "./workflow-runs.js";

const ONE = "/repos/{owner}/{repo}/actions/workflows/{workflow_id}";
const READ = { actions: "read" } as const;

export const workflowRoutes: readonly Route[] = [
  {
    operation: "actions/get-workflow",
    method: "GET",
    path: ONE,
    needs: READ,
    answer: async (call) => {
      const repository = repositoryOf(call);
      const path = await pathOf(call);
      const workflowId = workflowIdOf(path);
      return { status: 200, body: renderWorkflow(call.world, repository, { path, workflowId }) };
    },
  },
  {
    operation: "actions/list-workflow-runs",
    method: "GET",
    path: `${ONE}/runs`,
    needs: READ,
    answer: async (call) => {
      const path = await pathOf(call);
      const found = repositoryOf(call).workflowRuns.filter((run) => run.path === path && fits(call, run));
      const { items, lastPage } = paged(call, found.toReversed());
      const workflow_runs = await Promise.all(items.map((run) => renderWhole(call, run)));
      return { status: 200, body: { total_count: found.length, workflow_runs }, lastPage };
    },
  },
];

/** A workflow goes by its id or by the name of its file, and is there when the default branch has it. */
async function pathOf(call: Call): Promise<string> {
  const { world, params } = call;
  const repository = repositoryOf(call);
  const folder = ".github/workflows/";
  const args = ["ls-tree", "--name-only", repository.defaultBranch, "--", folder];
  const paths = (await world.git(repository, args)).split("\n");
  const asked = params.workflow_id ?? "";
  const found = paths.find((path) => path === folder + asked || String(workflowIdOf(path)) === asked);
  if (found === undefined || found === "") throw new HttpRefusal(404, "Not Found");
  return found;
}
