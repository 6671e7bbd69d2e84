import { type Answer, type Call, HttpRefusal, paged, type Route, repositoryOf } from "../../http/route.js";
import { renderSuite } from "../../render/check-suite.js";
import { type CheckSuite, suiteId, suiteOf, suitesOn } from "../../world/checks/check-suite.js";

const READ = { checks: "read" } as const;

export const suiteRoutes: readonly Route[] = [
  {
    operation: "checks/list-suites-for-ref",
    method: "GET",
    path: "/repos/{owner}/{repo}/commits/{ref}/check-suites",
    needs: READ,
    answer: listSuites,
  },
  {
    operation: "checks/get-suite",
    method: "GET",
    path: "/repos/{owner}/{repo}/check-suites/{check_suite_id}",
    needs: READ,
    answer: async (call) => ({
      status: 200,
      body: await renderSuite(call.world, repositoryOf(call), suiteNamed(call)),
    }),
  },
];

async function listSuites(call: Call): Promise<Answer> {
  const { world, params, query } = call;
  const repository = repositoryOf(call);
  const sha = await world.resolve(repository, params.ref ?? "");
  if (sha === null) throw new HttpRefusal(422, `No commit found for SHA: ${params.ref}`);
  const found = suitesOn(repository, sha).filter(
    ({ app, runs }) =>
      (query.get("app_id") ?? String(app)) === String(app) &&
      (!query.has("check_name") || runs.some(({ name }) => name === query.get("check_name"))),
  );
  const { items, lastPage } = paged(call, found);
  const check_suites = await Promise.all(items.map((suite) => renderSuite(world, repository, suite)));
  return { status: 200, body: { total_count: found.length, check_suites }, lastPage };
}

function suiteNamed(call: Call): CheckSuite {
  const repository = repositoryOf(call);
  const id = Number(call.params.check_suite_id);
  const run = repository.checkRuns.find((each) => suiteId(repository, each) === id);
  if (run === undefined) throw new HttpRefusal(404, "Not Found");
  return suiteOf(repository, run);
}
