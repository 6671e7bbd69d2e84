import type { JsonObject } from "../http/json.js";
import { suiteId, suiteOf } from "../world/checks/check-suite.js";
import { isPull } from "../world/pulls/world-pulls.js";
import type { CheckRun, Repository } from "../world/state.js";
import type { World } from "../world/world.js";
import { pageAddress } from "./address.js";
import { renderToldSuite } from "./check-suite.js";
import { renderVia } from "./issue.js";
import type { PullIssue } from "./pull.js";
import { repositoryUrl } from "./repository.js";
import { nodeId } from "./user.js";

export function renderCheckRun(world: World, repository: Repository, run: CheckRun): JsonObject {
  const url = `${repositoryUrl(world, repository)}/check-runs/${run.id}`;
  return {
    id: run.id,
    node_id: nodeId("CheckRun", run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: `${pageAddress(world, repository)}/runs/${run.id}`,
    details_url: run.detailsUrl,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: {
      ...run.output,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    name: run.name,
    check_suite: { id: suiteId(repository, run) },
    app: renderVia(world, run.app),
    pull_requests: renderPulls(world, repository, run.headSha),
  };
}

/** Webhooks tell more of the suite that a run belongs to. */
export function renderToldCheckRun(world: World, repository: Repository, run: CheckRun): JsonObject {
  return {
    ...renderCheckRun(world, repository, run),
    check_suite: renderToldSuite(world, repository, suiteOf(repository, run)),
    ...(run.actions.length === 0 ? {} : { actions: run.actions.map((action) => ({ ...action })) }),
  };
}

/** Open pulls with this head. GitHub leaves out those that come from a fork. */
export function pullsWith(repository: Repository, headSha: string): PullIssue[] {
  const name = `${repository.owner}/${repository.name}`.toLowerCase();
  return repository.issues
    .filter(isPull)
    .filter(
      ({ state, pull }) =>
        state === "open" && pull.headSha === headSha && pull.headRepository.toLowerCase() === name,
    );
}

export function renderPulls(world: World, repository: Repository, headSha: string): JsonObject[] {
  const url = repositoryUrl(world, repository);
  const repo = { id: repository.id, url, name: repository.name };
  return pullsWith(repository, headSha).map(({ id, number, pull }) => ({
    id,
    number,
    url: `${url}/pulls/${number}`,
    head: { ref: pull.headRef, sha: pull.headSha, repo },
    base: { ref: pull.baseRef, sha: pull.baseSha, repo },
  }));
}

export function renderAnnotation(
  world: World,
  repository: Repository,
  { headSha }: CheckRun,
  annotation: JsonObject,
): JsonObject {
  const path = typeof annotation.path === "string" ? annotation.path : "";
  return {
    start_column: null,
    end_column: null,
    title: null,
    raw_details: null,
    ...annotation,
    blob_href: `${pageAddress(world, repository)}/blob/${headSha}/${path}`,
  };
}
