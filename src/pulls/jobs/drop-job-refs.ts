import { jobsInUse } from "../../core/jobs/landing-jobs.js";
import type { LandPullParts } from "../gather-land-facts.js";

/**
 * What runners left goes once no landing in the queue can need it: also what an earlier landing was cut off from
 * removing, or a runner left after its landing was over. May be repeated.
 */
export async function dropJobRefs({
  ledger,
  repo,
  runner,
}: Pick<LandPullParts, "ledger" | "repo" | "runner">): Promise<void> {
  if (runner === undefined || !runner.kinds.has("rebase")) return;
  const { state } = await ledger.refresh();
  await repo.dropJobs(jobsInUse(state.jobs, state.landings));
}
