import type { GithubThreads } from "../../adapters/github/github-threads.js";
import type { UsableProject } from "../../comments/command-parts.js";
import type { ProjectConfig } from "../../core/config/project-schema.js";
import type { PullJob } from "../../core/model/pull-job.js";
import { logWords } from "../../core/replies/app/serve.js";
import type { Pulls } from "../../ports/pulls.js";
import type { WorkSource } from "../../ports/work-source.js";
import { syncPulls } from "../../pulls/sync-pulls.js";
import type { Reach } from "../comments/handle-comment.js";
import type { Metrics } from "../http/metrics.js";
import type { ServerLog } from "../http/server-log.js";
import type { SweepPlace } from "../recovery/sweep-comments.js";
import type { Repositories } from "../serve/open-repository.js";
import { type CloseParts, closeLanded } from "./close-landed.js";
import { showClosed } from "./show-closed.js";

export interface SyncRepositoryParts {
  readonly repositories: Repositories;
  readonly threadsAt: (place: SweepPlace) => Promise<GithubThreads>;
  readonly pullsAt: (place: SweepPlace) => Pulls;
  /** The issues of the repository, as beads. */
  readonly sourceAt: (
    place: SweepPlace,
    config: ProjectConfig,
  ) => Required<Pick<WorkSource, "close" | "show">>;
  readonly memory: CloseParts["memory"];
  readonly now: () => number;
  readonly reach: Reach;
  readonly metrics: Pick<Metrics, "ledgerAppends">;
  readonly log: Pick<ServerLog, "info">;
}

/** A repository whose project and ledger this server can use. */
export interface OpenedPlace {
  readonly place: SweepPlace;
  readonly id: number;
  readonly threads: GithubThreads;
  readonly opened: UsableProject;
}

/** Null where there is no project, or one that this server cannot use: then there is no ledger to bring along. */
export async function openPlace(
  { repositories, threadsAt }: SyncRepositoryParts,
  place: SweepPlace,
  id?: number,
): Promise<OpenedPlace | null> {
  const { installation, repository: fullName } = place;
  const threads = await threadsAt(place);
  const known = id ?? (await threads.repositoryId());
  const opened = await repositories.open({ installation, fullName, id: known }, threads);
  return opened.kind === "refuse" ? null : { place, id: known, threads, opened };
}

/** Takes in what became of a pull request that a webhook told of; null for a delivery about none. */
export async function syncOnePull(parts: SyncRepositoryParts, job: PullJob | null): Promise<void> {
  if (job === null) return;
  const { installation, repository, pull } = job;
  const place = { installation, repository: repository.fullName };
  await parts.reach.whereInstalledAt(place, async () => {
    const found = await openPlace(parts, place, repository.id);
    if (found !== null) await syncPlace(parts, found, { only: pull });
  });
}

/** The same for all pull requests that the ledger follows, or one of them. */
export async function syncPlace(
  { pullsAt, sourceAt, memory, now, metrics, log }: SyncRepositoryParts,
  { place, id, opened: { ledger, config } }: OpenedPlace,
  wish: { readonly only?: number } = {},
): Promise<void> {
  const pulls = pullsAt(place);
  const synced = await syncPulls({ ledger, pulls }, wish);
  const changed = synced.filter(({ change }) => change.kind !== "none" && change.kind !== "unknown");
  for (const { pull, bead, change } of changed)
    log.info({ repository: place.repository, pull, bead, change: change.kind }, logWords.synced());
  if (changed.length > 0) metrics.ledgerAppends(changed.length);
  if (config.work_source !== "github") return;
  const { state } = await ledger.observe([]);
  const parts = { pulls, source: sourceAt(place, config), memory, now };
  await closeLanded(parts, id, state);
  await showClosed(parts, id, state);
}
