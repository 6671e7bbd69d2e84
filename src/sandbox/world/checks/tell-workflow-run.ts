import { renderHeadCommit } from "../../render/check-suite.js";
import { renderWorkflow, renderWorkflowRun } from "../../render/workflow-run.js";
import type { Repository } from "../state.js";
import type { World } from "../world.js";
import type { WorkflowRun } from "./workflow-run.js";

export async function tellWorkflowRun(
  world: World,
  repository: Repository,
  { run, action }: { readonly run: WorkflowRun; readonly action: "requested" | "completed" },
): Promise<void> {
  if (!world.heard("workflow_run", repository)) return;
  const head_commit = await renderHeadCommit(repository, run.headSha);
  world.tell({
    ...{ event: "workflow_run", action, repository, sender: run.actor },
    payload: {
      workflow_run: { ...renderWorkflowRun(world, repository, run), head_commit },
      workflow: renderWorkflow(world, repository, run),
    },
  });
}
