import {
  type Answer,
  actorOf,
  type Call,
  HttpRefusal,
  listAnswer,
  paged,
  type Route,
  repositoryOf,
} from "../../http/route.js";
import { renderAnnotation, renderCheckRun } from "../../render/check.js";
import { checkChanges, outputOf } from "../../world/checks/check-changes.js";
import { newestRuns } from "../../world/checks/check-suite.js";
import { tellCheckRun, tellSuiteEnd } from "../../world/checks/tell-check.js";
import { textOf } from "../../world/said.js";
import type { CheckRun, Repository } from "../../world/state.js";
import type { World } from "../../world/world.js";

const ONE = "/repos/{owner}/{repo}/check-runs/{check_run_id}";
const READ = { checks: "read" } as const;
const WRITE = { checks: "write" } as const;

export const checkRoutes: readonly Route[] = [
  {
    operation: "checks/create",
    method: "POST",
    path: "/repos/{owner}/{repo}/check-runs",
    needs: WRITE,
    answer: createCheck,
  },
  { operation: "checks/update", method: "PATCH", path: ONE, needs: WRITE, answer: updateCheck },
  {
    operation: "checks/get",
    method: "GET",
    path: ONE,
    needs: READ,
    answer: (call) => answerRun(200, call, runOf(call)),
  },
  {
    operation: "checks/list-for-ref",
    method: "GET",
    path: "/repos/{owner}/{repo}/commits/{ref}/check-runs",
    needs: READ,
    answer: listForRef,
  },
  {
    operation: "checks/list-annotations",
    method: "GET",
    path: `${ONE}/annotations`,
    needs: READ,
    answer: (call) => {
      const repository = repositoryOf(call);
      const run = runOf(call);
      const found = run.annotations.map((one) => renderAnnotation(call.world, repository, run, one));
      return listAnswer(call, found);
    },
  },
  {
    operation: "checks/rerequest-run",
    method: "POST",
    path: `${ONE}/rerequest`,
    needs: WRITE,
    role: "write",
    answer: (call) => {
      const run = runOf(call);
      // Nothing of the run changes: its app is asked to do it again.
      tellCheckRun(call.world, repositoryOf(call), { run, sender: actorOf(call), action: "rerequested" });
      return { status: 201, body: {} };
    },
  },
];

function answerRun(status: number, call: Call, run: CheckRun): Answer {
  return { status, body: renderCheckRun(call.world, repositoryOf(call), run) };
}

function runOf(call: Call): CheckRun {
  const id = Number(call.params.check_run_id);
  const found = repositoryOf(call).checkRuns.find((run) => run.id === id);
  if (found === undefined) throw new HttpRefusal(404, "Not Found");
  return found;
}

/** Check runs belong to apps; a person has none. */
function appIdOf({ caller }: Call): number {
  if (caller.kind === "installation") return caller.app.id;
  throw new HttpRefusal(403, "You must authenticate via a GitHub App.");
}

async function createCheck(call: Call): Promise<Answer> {
  const { world, body } = call;
  const repository = repositoryOf(call);
  const app = appIdOf(call);
  const wanted = textOf(body.head_sha) ?? "";
  const headSha = await world.resolve(repository, wanted);
  if (headSha === null) throw new HttpRefusal(422, `No commit found for SHA: ${wanted}`);
  const run: CheckRun = {
    id: world.newId(),
    app,
    name: textOf(body.name) ?? "",
    headSha,
    externalId: "",
    detailsUrl: null,
    status: "queued",
    conclusion: null,
    startedAt: world.timestamp(),
    completedAt: null,
    output: { title: null, summary: null, text: null },
    annotations: [],
    actions: [],
  };
  Object.assign(run, checkChanges(world, run, body), outputOf(run, body));
  repository.checkRuns.push(run);
  const sender = actorOf(call);
  tellCheckRun(world, repository, { run, sender, action: "created" });
  if (run.status === "completed") await tellEnd(call, run);
  return answerRun(201, call, run);
}

async function updateCheck(call: Call): Promise<Answer> {
  const { world, body } = call;
  const run = runOf(call);
  const app = appIdOf(call);
  if (run.app !== app) {
    throw new HttpRefusal(
      403,
      `Invalid app_id \`${app}\` - check run can only be modified by the GitHub App that created it.`,
    );
  }
  const ended = run.status === "completed";
  Object.assign(run, checkChanges(world, run, body), outputOf(run, body));
  if (!ended && run.status === "completed") await tellEnd(call, run);
  return answerRun(200, call, run);
}

async function tellEnd(call: Call, run: CheckRun): Promise<void> {
  const news = { run, sender: actorOf(call) };
  tellCheckRun(call.world, repositoryOf(call), { ...news, action: "completed" });
  await tellSuiteEnd(call.world, repositoryOf(call), news);
}

async function listForRef(call: Call): Promise<Answer> {
  const { world, params, query } = call;
  const repository = repositoryOf(call);
  const sha = await world.resolve(repository, params.ref ?? "");
  if (sha === null) throw new HttpRefusal(422, `No commit found for SHA: ${params.ref}`);
  const all = repository.checkRuns.filter((run) => run.headSha === sha);
  const kept = query.get("filter") === "all" ? all : newestRuns(repository, all);
  const fits = (name: string, value: string) => (query.get(name) ?? value) === value;
  const found = kept.filter(
    (run) => fits("check_name", run.name) && fits("status", run.status) && fits("app_id", String(run.app)),
  );
  const { items, lastPage } = paged(
    call,
    found.toSorted((a, b) => b.id - a.id),
  );
  const check_runs = items.map((run) => renderCheckRun(world, repository, run));
  return { status: 200, body: { total_count: found.length, check_runs }, lastPage };
}

/** Somebody presses one of the buttons that an app put on its check run. */
export function requestAction(
  world: World,
  repository: Repository,
  { run, login, identifier }: { readonly run: CheckRun; readonly login: string; readonly identifier: string },
): void {
  if (!run.actions.some((action) => action.identifier === identifier)) {
    throw new HttpRefusal(422, `The check run has no button ${identifier}`);
  }
  tellCheckRun(world, repository, {
    ...{ run, sender: login, action: "requested_action" },
    more: { requested_action: { identifier } },
  });
}
