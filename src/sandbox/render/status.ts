import type { JsonObject } from "../http/json.js";
import type { CommitStatus, Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { renderRepository, repositoryUrl } from "./repository.js";
import { nodeId, renderUser } from "./user.js";

export function renderStatus(world: World, repository: Repository, status: CommitStatus): JsonObject {
  const creator = renderUser(world, status.creator);
  return {
    url: `${repositoryUrl(world, repository)}/statuses/${status.sha}`,
    avatar_url: creator.avatar_url,
    id: status.id,
    node_id: nodeId("StatusContext", status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    creator,
  };
}

/** What the newest status of each context comes to; nothing yet is pending. */
export function combinedState(newest: readonly CommitStatus[]): "failure" | "pending" | "success" {
  if (newest.some(({ state }) => state === "error" || state === "failure")) return "failure";
  return newest.length === 0 || newest.some(({ state }) => state === "pending") ? "pending" : "success";
}

export function renderCombined(
  world: World,
  repository: Repository,
  {
    sha,
    newest,
    shown,
  }: {
    readonly sha: string;
    readonly newest: readonly CommitStatus[];
    readonly shown: readonly CommitStatus[];
  },
): JsonObject {
  const url = `${repositoryUrl(world, repository)}/commits/${sha}`;
  return {
    state: combinedState(newest),
    statuses: shown.map((status) => {
      const { creator: _, ...simple } = renderStatus(world, repository, status);
      return simple;
    }),
    sha,
    total_count: newest.length,
    repository: renderRepository(world, repository),
    commit_url: url,
    url: `${url}/status`,
  };
}
