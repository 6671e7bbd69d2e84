import { readStoredCommits } from "../git/world-commits.js";
import type { JsonObject } from "../http/json.js";
import type { CheckSuite } from "../world/checks/check-suite.js";
import type { Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { pullsWith, renderPulls } from "./check.js";
import { renderVia } from "./issue.js";
import { renderRepository, repositoryUrl } from "./repository.js";
import { nodeId } from "./user.js";

/** As webhooks show a suite. */
export function renderToldSuite(world: World, repository: Repository, suite: CheckSuite): JsonObject {
  const { id, headSha } = suite;
  const url = `${repositoryUrl(world, repository)}/check-suites/${id}`;
  return {
    id,
    node_id: nodeId("CheckSuite", id),
    head_branch: pullsWith(repository, headSha)[0]?.pull.headRef ?? null,
    head_sha: headSha,
    status: suite.status,
    conclusion: suite.conclusion,
    url,
    before: null,
    after: headSha,
    pull_requests: renderPulls(world, repository, headSha),
    app: renderVia(world, suite.app),
    created_at: suite.startedAt,
    updated_at: suite.updatedAt,
    latest_check_runs_count: suite.runs.length,
    check_runs_url: `${url}/check-runs`,
  };
}

export async function renderSuite(
  world: World,
  repository: Repository,
  suite: CheckSuite,
): Promise<JsonObject> {
  return {
    ...renderToldSuite(world, repository, suite),
    repository: renderRepository(world, repository),
    head_commit: await renderHeadCommit(repository, suite.headSha),
  };
}

/** The few words about a commit that stand in suites and workflow runs. */
export async function renderHeadCommit(repository: Repository, sha: string): Promise<JsonObject | null> {
  const [commit] = await readStoredCommits(repository, [sha]);
  if (commit === undefined) return null;
  const person = ({ name, email }: { readonly name: string; readonly email: string }) => ({ name, email });
  return {
    id: sha,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: commit.committer.date,
    author: person(commit.author),
    committer: person(commit.committer),
  };
}
