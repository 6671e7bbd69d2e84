import type { JsonObject } from "../../http/json.js";
import { type Call, HttpRefusal, paged, type Route, repositoryOf } from "../../http/route.js";
import type { Runner } from "../../world/state.js";

export const runnerRoutes: readonly Route[] = [
  {
    operation: "actions/list-self-hosted-runners-for-repo",
    method: "GET",
    path: "/repos/{owner}/{repo}/actions/runners",
    needs: { administration: "read" },
    role: "admin",
    answer: (call) => listed(call, repositoryOf(call).runners ?? []),
  },
  {
    operation: "actions/list-self-hosted-runners-for-org",
    method: "GET",
    path: "/orgs/{org}/actions/runners",
    needs: "token",
    answer: (call) => {
      const { world, caller, params } = call;
      const organization = world.user(params.org ?? "");
      if (organization?.type !== "Organization") throw new HttpRefusal(404, "Not Found");
      // Whoever does not own the organisation is told no more than that.
      if (caller.kind !== "user" || !organization.owners?.includes(caller.login))
        throw new HttpRefusal(403, "Must have admin rights to Organization.");
      return listed(call, organization.runners ?? []);
    },
  },
];

/** A repository's list has the runners that were registered for it, and none of its organisation's. */
function listed(call: Call, all: readonly Runner[]) {
  const { items, lastPage } = paged(call, all);
  return { status: 200, body: { total_count: all.length, runners: items.map(renderRunner) }, lastPage };
}

function renderRunner({ id, name, online, labels }: Runner): JsonObject {
  const own = labels.map((label) => ({ id: 0, name: label, type: "custom" }));
  const given = ["self-hosted", "Linux", "X64"].map((label) => ({ id: 0, name: label, type: "read-only" }));
  return {
    ...{ id, name, os: "linux", status: online ? "online" : "offline", busy: false },
    ...{ ephemeral: false, labels: [...given, ...own] },
  };
}
