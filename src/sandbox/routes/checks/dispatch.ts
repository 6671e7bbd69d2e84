import type { JsonObject } from "../../http/json.js";
import { actorOf, type Call, HttpRefusal, type Route, repositoryOf } from "../../http/route.js";
import { startWorkflowRun } from "../../world/checks/workflow-run.js";
import type { SentDispatch } from "../../world/state.js";

export const dispatchRoutes: readonly Route[] = [
  {
    operation: "repos/create-dispatch-event",
    method: "POST",
    path: "/repos/{owner}/{repo}/dispatches",
    needs: { contents: "write" },
    answer: (call) => {
      const repository = repositoryOf(call);
      const inputs = objectOf(call.body.client_payload);
      const name = String(call.body.event_type);
      note(call, { id: call.world.newId(), kind: "repository", name, ref: repository.defaultBranch, inputs });
      call.world.tell({
        event: "repository_dispatch",
        action: name,
        repository,
        sender: actorOf(call),
        payload: { branch: repository.defaultBranch, client_payload: inputs },
      });
      return { status: 204 };
    },
  },
  {
    operation: "actions/create-workflow-dispatch",
    method: "POST",
    path: "/repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches",
    needs: { actions: "write" },
    answer: async (call) => {
      const repository = repositoryOf(call);
      const ref = String(call.body.ref);
      const file = call.params.workflow_id ?? "";
      const commit = await call.world.resolve(repository, ref);
      if (commit === null) throw new HttpRefusal(422, `No ref found for: ${ref}`);
      const path = `.github/workflows/${file}`;
      const listed = await call.world.git(repository, ["ls-tree", "--name-only", commit, "--", path]);
      if (listed.trim() !== path) throw new HttpRefusal(404, "Not Found");
      const text = await call.world.git(repository, ["cat-file", "blob", `${commit}:${path}`]);
      if (!/\bworkflow_dispatch\b/.test(text))
        throw new HttpRefusal(422, "Workflow does not have 'workflow_dispatch' trigger");
      const inputs = objectOf(call.body.inputs);
      const { id } = await startWorkflowRun(call.world, repository, {
        ...{ path, event: "workflow_dispatch", headSha: commit, actor: actorOf(call), inputs, jobs: [] },
        headBranch: ref.replace(/^refs\/(heads|tags)\//, ""),
      });
      note(call, { id, kind: "workflow", name: file, ref, inputs });
      call.world.tell({
        event: "workflow_dispatch",
        action: null,
        repository,
        sender: actorOf(call),
        payload: { ref: `refs/heads/${ref.replace(/^refs\/heads\//, "")}`, workflow: path, inputs },
      });
      if (call.body.return_run_details !== true) return { status: 204 };
      const run = `${repository.owner}/${repository.name}/actions/runs/${id}`;
      const body = {
        workflow_run_id: id,
        run_url: `${call.world.url}/repos/${run}`,
        html_url: `${call.world.url}/${run}`,
      };
      return { status: 200, body };
    },
  },
];

function note(call: Call, what: Omit<SentDispatch, "actor" | "at">): void {
  repositoryOf(call).dispatches.push({ ...what, actor: actorOf(call), at: call.world.timestamp() });
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
