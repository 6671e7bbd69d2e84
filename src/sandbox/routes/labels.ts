import { type Call, HttpRefusal, listAnswer, type Route, repositoryOf } from "../http/route.js";
import { labelNamed, renderLabel, renderLabels } from "../render/label.js";
import { authorOf, invalid, namesOf, saidText, textOf, threadOf } from "../world/said.js";
import type { Label } from "../world/state.js";
import { setLabels, type ThreadPlace } from "../world/thread-changes.js";

const EITHER_READ = { issues: "read", pull_requests: "read" } as const;
const EITHER_WRITE = { issues: "write", pull_requests: "write" } as const;
const ON_ISSUE = "/repos/{owner}/{repo}/issues/{issue_number}/labels";
const OF_REPOSITORY = "/repos/{owner}/{repo}/labels";

export const labelRoutes: readonly Route[] = [
  {
    operation: "issues/list-labels-on-issue",
    method: "GET",
    path: ON_ISSUE,
    needs: EITHER_READ,
    answer: (call) => {
      const { world, repository, issue } = threadOf(call);
      return listAnswer(call, renderLabels(world, repository, issue));
    },
  },
  {
    operation: "issues/add-labels",
    method: "POST",
    path: ON_ISSUE,
    needs: EITHER_WRITE,
    role: "triage",
    answer: (call) => change(call, (had) => [...had, ...given(call)]),
  },
  {
    operation: "issues/set-labels",
    method: "PUT",
    path: ON_ISSUE,
    needs: EITHER_WRITE,
    role: "triage",
    answer: (call) => change(call, () => given(call)),
  },
  {
    operation: "issues/remove-label",
    method: "DELETE",
    path: `${ON_ISSUE}/{name}`,
    needs: EITHER_WRITE,
    role: "triage",
    answer: (call) => {
      const name = (call.params.name ?? "").toLowerCase();
      return change(call, (had) => {
        if (!had.some((one) => one.toLowerCase() === name))
          throw new HttpRefusal(404, "Label does not exist");
        return had.filter((one) => one.toLowerCase() !== name);
      });
    },
  },
  {
    operation: "issues/list-labels-for-repo",
    method: "GET",
    path: OF_REPOSITORY,
    needs: EITHER_READ,
    answer: (call) => {
      const repository = repositoryOf(call);
      return listAnswer(
        call,
        repository.labels.map((label) => renderLabel(call.world, repository, label)),
      );
    },
  },
  {
    operation: "issues/create-label",
    method: "POST",
    path: OF_REPOSITORY,
    needs: EITHER_WRITE,
    role: "write",
    answer: createLabel,
  },
  {
    operation: "issues/get-label",
    method: "GET",
    path: `${OF_REPOSITORY}/{name}`,
    needs: EITHER_READ,
    answer: (call) => {
      const repository = repositoryOf(call);
      const label = labelNamed(repository, call.params.name ?? "");
      if (label === null) throw new HttpRefusal(404, "Not Found");
      return { status: 200, body: renderLabel(call.world, repository, label) };
    },
  },
];

function given({ body }: Call): string[] {
  return namesOf(body.labels) ?? [];
}

async function change(call: Call, next: (had: readonly string[]) => readonly string[]) {
  const thread: ThreadPlace = threadOf(call);
  await setLabels(thread, authorOf(call), next(thread.issue.labels));
  return { status: 200, body: renderLabels(thread.world, thread.repository, thread.issue) };
}

function createLabel(call: Call) {
  const { world, body } = call;
  const repository = repositoryOf(call);
  const name = saidText(body.name, "Label", "name");
  if (labelNamed(repository, name) !== null) {
    throw invalid("Label", "name", "already_exists", "name already exists");
  }
  const label: Label = {
    id: world.newId(),
    name,
    color: textOf(body.color) ?? "ededed",
    description: textOf(body.description) ?? "",
  };
  repository.labels.push(label);
  return { status: 201, body: renderLabel(world, repository, label) };
}
