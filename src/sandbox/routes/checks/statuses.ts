import { readStoredCommits } from "../../git/world-commits.js";
import {
  type Answer,
  actorOf,
  appOf,
  type Call,
  HttpRefusal,
  listAnswer,
  paged,
  type Route,
  repositoryOf,
} from "../../http/route.js";
import { renderCommit } from "../../render/commit.js";
import { fullName, repositoryUrl } from "../../render/repository.js";
import { renderCombined, renderStatus } from "../../render/status.js";
import { invalid, textOf } from "../../world/said.js";
import type { CommitStatus, Repository } from "../../world/state.js";
import type { World } from "../../world/world.js";

const STATES = ["error", "failure", "pending", "success"] as const;
const LONGEST_DESCRIPTION = 140;

export const statusRoutes: readonly Route[] = [
  {
    operation: "repos/create-commit-status",
    method: "POST",
    path: "/repos/{owner}/{repo}/statuses/{sha}",
    needs: { statuses: "write" },
    answer: createStatus,
  },
  {
    operation: "repos/get-combined-status-for-ref",
    method: "GET",
    path: "/repos/{owner}/{repo}/commits/{ref}/status",
    needs: { statuses: "read" },
    answer: async (call) => {
      const repository = repositoryOf(call);
      const { sha, statuses } = await statusesOf(call, call.params.ref ?? "");
      const newest = [...new Map(statuses.map((status) => [status.context, status])).values()];
      const { items: shown, lastPage } = paged(call, newest);
      return { status: 200, body: renderCombined(call.world, repository, { sha, newest, shown }), lastPage };
    },
  },
  {
    operation: "repos/list-commit-statuses-for-ref",
    method: "GET",
    path: "/repos/{owner}/{repo}/commits/{ref}/statuses",
    needs: { statuses: "read" },
    answer: async (call) => {
      const repository = repositoryOf(call);
      const { statuses } = await statusesOf(call, call.params.ref ?? "");
      const newestFirst = statuses.toReversed();
      return listAnswer(
        call,
        newestFirst.map((status) => renderStatus(call.world, repository, status)),
      );
    },
  },
];

/** Oldest first. */
async function statusesOf(call: Call, ref: string): Promise<{ sha: string; statuses: CommitStatus[] }> {
  const repository = repositoryOf(call);
  const sha = await call.world.resolve(repository, ref);
  if (sha === null) throw new HttpRefusal(404, "Not Found");
  return { sha, statuses: repository.statuses.filter((status) => status.sha === sha) };
}

async function createStatus(call: Call): Promise<Answer> {
  const { world, body, params } = call;
  const repository = repositoryOf(call);
  const sha = await world.resolve(repository, params.sha ?? "");
  if (sha === null) throw new HttpRefusal(422, `No commit found for SHA: ${params.sha}`);
  const state = STATES.find((one) => one === body.state);
  if (state === undefined) throw invalid("Status", "state", "invalid", "state is not one of GitHub's");
  const description = textOf(body.description) ?? "";
  if (description.length > LONGEST_DESCRIPTION) {
    const problem = `description is too long (maximum is ${LONGEST_DESCRIPTION} characters)`;
    throw invalid("Status", "description", "custom", problem);
  }
  const status: CommitStatus = {
    id: world.newId(),
    sha,
    state,
    context: textOf(body.context) ?? "default",
    description,
    targetUrl: textOf(body.target_url),
    creator: actorOf(call),
    app: appOf(call),
    createdAt: world.timestamp(),
  };
  repository.statuses.push(status);
  await tellStatus(world, repository, status);
  return { status: 201, body: renderStatus(world, repository, status) };
}

async function tellStatus(world: World, repository: Repository, status: CommitStatus): Promise<void> {
  if (!world.heard("status", repository)) return;
  const [commit] = await readStoredCommits(repository, [status.sha]);
  if (commit === undefined) return;
  const { creator: _, url: __, ...own } = renderStatus(world, repository, status);
  world.tell({
    event: "status",
    action: null,
    repository,
    sender: status.creator,
    payload: {
      ...own,
      sha: status.sha,
      name: fullName(repository),
      commit: renderCommit(world, repository, commit),
      branches: await branchesAt(world, repository, status.sha),
    },
  });
}

/** GitHub tells of at most ten. */
async function branchesAt(world: World, repository: Repository, sha: string) {
  const text = await world.git(repository, [
    ...["for-each-ref", "--count=10", `--contains=${sha}`],
    ...["--format=%(objectname) %(refname:strip=2)", "refs/heads"],
  ]);
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const tip = line.slice(0, line.indexOf(" "));
    const url = `${repositoryUrl(world, repository)}/commits/${tip}`;
    return { name: line.slice(tip.length + 1), commit: { sha: tip, url }, protected: false };
  });
}
