import type { GithubThreads } from "../../adapters/github/github-threads.js";
import type { PullJob } from "../../core/model/pull-job.js";
import { logWords } from "../../core/replies/app/serve.js";
import type { SyncedPull } from "../../core/replies/pulls/sync-text.js";
import type { Pulls } from "../../ports/pulls.js";
import { syncPulls } from "../../pulls/sync-pulls.js";
import type { Reach } from "../comments/handle-comment.js";
import type { Metrics } from "../http/metrics.js";
import type { ServerLog } from "../http/server-log.js";
import type { SweepPlace } from "../recovery/sweep-comments.js";
import type { Repositories } from "../serve/open-repository.js";

export interface SyncRepositoryParts {
  readonly repositories: Repositories;
  readonly threadsAt: (place: SweepPlace) => Promise<GithubThreads>;
  readonly pullsAt: (place: SweepPlace) => Pulls;
  readonly reach: Reach;
  readonly metrics: Pick<Metrics, "ledgerAppends">;
  readonly log: Pick<ServerLog, "info">;
}

/** Takes in what became of a pull request that a webhook told of; null for a delivery about none. */
export async function syncOnePull(parts: SyncRepositoryParts, job: PullJob | null): Promise<void> {
  if (job === null) return;
  const { installation, repository, pull } = job;
  const place = { installation, repository: repository.fullName };
  await parts.reach.whereInstalledAt(place, async () => {
    await syncPlace(parts, place, { id: repository.id, only: pull });
  });
}

/** The same for all pull requests of a repository that its ledger follows; how many had changed. */
export async function syncRepository(parts: SyncRepositoryParts, place: SweepPlace): Promise<number> {
  return (await syncPlace(parts, place, {})).length;
}

async function syncPlace(
  { repositories, threadsAt, pullsAt, metrics, log }: SyncRepositoryParts,
  place: SweepPlace,
  { id, only }: { readonly id?: number; readonly only?: number },
): Promise<readonly SyncedPull[]> {
  const { installation, repository: fullName } = place;
  const threads = await threadsAt(place);
  const known = id ?? (await threads.repositoryId());
  const opened = await repositories.open({ installation, fullName, id: known }, threads);
  // A repository without a project, or with one that this server cannot use, has no ledger to bring along.
  if (opened.kind === "refuse") return [];
  const wish = only === undefined ? {} : { only };
  const synced = await syncPulls({ ledger: opened.ledger, pulls: pullsAt(place) }, wish);
  const changed = synced.filter(({ change }) => change.kind !== "none" && change.kind !== "unknown");
  for (const { pull, bead, change } of changed)
    log.info({ repository: fullName, pull, bead, change: change.kind }, logWords.synced());
  if (changed.length > 0) metrics.ledgerAppends(changed.length);
  return changed;
}
