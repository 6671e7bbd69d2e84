import type { JobKind } from "../model/job-kind.js";
import type { KnownJob, Landing } from "../run/ledger/ledger-state.js";

/** For so many places of head and base a landing asks runners; after that the branch is too busy to be caught. */
export const MOST_BASES = 4;

/** How many jobs of a kind a landing has asked for. */
export function jobsOfLanding(
  jobs: readonly Pick<KnownJob, "kind" | "pull" | "at">[],
  { pull, at }: Pick<Landing, "pull" | "at">,
  kind: JobKind,
): number {
  return jobs.filter((job) => job.kind === kind && job.pull === pull && job.at >= at).length;
}

/** Jobs that a landing in the queue may still need what a runner left for. */
export function jobsInUse(
  jobs: readonly Pick<KnownJob, "id" | "pull">[],
  landings: readonly Pick<Landing, "pull">[],
): ReadonlySet<string> {
  const pulls = new Set(landings.map(({ pull }) => pull));
  return new Set(jobs.filter(({ pull }) => pulls.has(pull)).map(({ id }) => id));
}
