import { listShas } from "../../git/world-commits.js";
import { mergeableNow } from "../../git/world-mergeable.js";
import type { JsonObject } from "../../http/json.js";
import {
  actorOf,
  type Call,
  HttpRefusal,
  listAnswer,
  paged,
  type Route,
  repositoryOf,
} from "../../http/route.js";
import { renderFile } from "../../render/commit.js";
import { type PullIssue, pullChanges, renderPull, renderPullSimple } from "../../render/pull.js";
import { admitReopening } from "../../world/pulls/reopen-pull.js";
import { openPull } from "../../world/pulls/world-open-pull.js";
import { isPull, tellPull } from "../../world/pulls/world-pulls.js";
import { renderCommits } from "../repos.js";

const READ = { pull_requests: "read" } as const;
const WRITE = { pull_requests: "write" } as const;
const ONE = "/repos/{owner}/{repo}/pulls/{pull_number}";

export const pullRoutes: readonly Route[] = [
  {
    operation: "pulls/list",
    method: "GET",
    path: "/repos/{owner}/{repo}/pulls",
    needs: READ,
    answer: (call) => {
      const { items, lastPage } = paged(call, wantedPulls(call));
      const body = items.map((issue) => renderPullSimple(call.world, repositoryOf(call), issue));
      return { status: 200, body, lastPage };
    },
  },
  {
    operation: "pulls/create",
    method: "POST",
    path: "/repos/{owner}/{repo}/pulls",
    needs: WRITE,
    // Whoever can read may propose a change from a fork; the head's own repository must be writable.
    role: "read",
    answer: async (call) => {
      const { body, world } = call;
      const repository = repositoryOf(call);
      const issue = await openPull(world, repository, {
        author: actorOf(call),
        head: String(body.head),
        base: String(body.base),
        title: String(body.title ?? ""),
        body: String(body.body ?? ""),
        draft: body.draft === true,
      });
      return { status: 201, body: await renderPull(world, repository, issue) };
    },
  },
  {
    operation: "pulls/get",
    method: "GET",
    path: ONE,
    needs: READ,
    answer: async (call) => {
      const repository = repositoryOf(call);
      const issue = pullOf(call);
      const mergeable =
        issue.state === "open" ? await mergeableNow(call.world, repository, issue.pull) : null;
      return { status: 200, body: await renderPull(call.world, repository, issue, mergeable) };
    },
  },
  {
    operation: "pulls/update",
    method: "PATCH",
    path: ONE,
    needs: WRITE,
    answer: async (call) => {
      const issue = pullOf(call);
      await changePull(call, issue);
      return { status: 200, body: await renderPull(call.world, repositoryOf(call), issue) };
    },
  },
  {
    operation: "pulls/list-files",
    method: "GET",
    path: `${ONE}/files`,
    needs: READ,
    answer: async (call) => {
      const repository = repositoryOf(call);
      const { pull } = pullOf(call);
      const files = await pullChanges(call.world, repository, pull);
      // GitHub lists no more than 3,000, whatever the page.
      return listAnswer(
        call,
        files.slice(0, 3000).map((file) => renderFile(call.world, repository, { file, head: pull.headSha })),
      );
    },
  },
  {
    operation: "pulls/list-commits",
    method: "GET",
    path: `${ONE}/commits`,
    needs: READ,
    answer: async (call) => {
      const repository = repositoryOf(call);
      const { pull } = pullOf(call);
      const shas = await listShas(call.world, repository, ["--reverse", `${pull.baseSha}..${pull.headSha}`]);
      // GitHub lists no more than 250, whatever the page.
      const { items, lastPage } = paged(call, shas.slice(0, 250));
      return { status: 200, body: await renderCommits(call, repository, items), lastPage };
    },
  },
  {
    operation: "repos/list-pull-requests-associated-with-commit",
    method: "GET",
    path: "/repos/{owner}/{repo}/commits/{commit_sha}/pulls",
    needs: READ,
    answer: async (call) => {
      const repository = repositoryOf(call);
      const sha = await call.world.resolve(repository, call.params.commit_sha ?? "");
      const found: JsonObject[] = [];
      for (const issue of repository.issues.filter(isPull)) {
        const { baseSha, headSha } = issue.pull;
        const shas = await listShas(call.world, repository, [`${baseSha}..${headSha}`]);
        // What the button made is the pull's as well.
        const its = sha !== null && (shas.includes(sha) || issue.pull.merged?.commit === sha);
        if (its) found.push(renderPullSimple(call.world, repository, issue));
      }
      return listAnswer(call, found);
    },
  },
];

function pullOf(call: Call): PullIssue {
  const issue = call.world.issue(repositoryOf(call), call.params.pull_number ?? "");
  if (!isPull(issue)) throw new HttpRefusal(404, "Not Found");
  return issue;
}

function wantedPulls(call: Call): PullIssue[] {
  const { query } = call;
  const state = query.get("state") ?? "open";
  const sort = query.get("sort") === "updated" ? "updatedAt" : "createdAt";
  const ascending = (query.get("direction") ?? (query.has("sort") ? "asc" : "desc")) === "asc";
  const [headOwner, headRef] = (query.get("head") ?? "").split(/:(.*)/s);
  const found = repositoryOf(call)
    .issues.filter(isPull)
    .filter((issue) => state === "all" || issue.state === state)
    .filter(({ pull }) => !query.has("base") || pull.baseRef === query.get("base"))
    .filter(
      ({ pull }) =>
        !query.has("head") || (pull.headRef === headRef && pull.headRepository.split("/")[0] === headOwner),
    )
    .sort((a, b) => a[sort].localeCompare(b[sort]) || a.number - b.number);
  return ascending ? found : found.reverse();
}

async function changePull(call: Call, issue: PullIssue): Promise<void> {
  const { body, world } = call;
  const repository = repositoryOf(call);
  const sender = actorOf(call);
  const tell = (action: string, extra: JsonObject = {}) =>
    tellPull(world, { repository, issue, pusher: sender }, { action, extra });
  const changes: Record<string, JsonObject> = {};
  for (const name of ["title", "body"] as const) {
    const value = body[name];
    if (typeof value !== "string" || value === issue[name]) continue;
    changes[name] = { from: issue[name] };
    issue[name] = value;
  }
  if (typeof body.base === "string" && body.base !== issue.pull.baseRef) {
    const sha = await world.resolve(repository, `refs/heads/${body.base}`);
    if (sha === null) throw new HttpRefusal(422, "Validation Failed", [{ field: "base", code: "invalid" }]);
    changes.base = { ref: { from: issue.pull.baseRef }, sha: { from: issue.pull.baseSha } };
    issue.pull.baseRef = body.base;
    issue.pull.baseSha = sha;
  }
  issue.updatedAt = world.timestamp();
  if (Object.keys(changes).length > 0) await tell("edited", { changes });
  if (body.state !== "open" && body.state !== "closed") return;
  if (body.state === issue.state) return;
  if (body.state === "open") await admitReopening({ world, repository, issue });
  issue.state = body.state;
  issue.closedAt = body.state === "closed" ? world.timestamp() : null;
  issue.closedBy = body.state === "closed" ? sender : null;
  const event = body.state === "closed" ? "closed" : "reopened";
  issue.events.push({
    id: world.newId(),
    event,
    actor: sender,
    createdAt: world.timestamp(),
    viaApp: call.caller.kind === "installation" ? call.caller.app.id : null,
    detail: {},
  });
  await tell(event);
  // What was pushed while it was closed counts from now on.
  if (event === "reopened") await world.settlePulls(repository, sender);
}
