import { createHash } from "node:crypto";
import { landingRequester } from "../../comments/landing-requester.js";
import { logWords } from "../../core/replies/app/serve.js";
import type { ServerLog } from "../http/server-log.js";
import type { LandJobs } from "../pulls/land-jobs.js";
import type { PullPlaces } from "../pulls/pull-places.js";
import type { OpenedPlace } from "../pulls/sync-repository.js";

export interface ResumeParts {
  readonly jobs: LandJobs;
  readonly places: Pick<PullPlaces, "pulls" | "record">;
  readonly log: Pick<ServerLog, "info">;
}

/** As far back as a request is looked for. */
const MOST_RECENT = 500;

/** Goes on with landings in the queue that people asked the App for by comment, and that its database has lost. */
export async function resumeLandings({ jobs, places, log }: ResumeParts, found: OpenedPlace): Promise<void> {
  const { place, id, threads, opened } = found;
  const { state } = await opened.ledger.refresh();
  const queued = state.landings.filter(({ kind }) => kind === "land-pull");
  if (queued.length === 0) return;
  const recent = await opened.ledger.recent(MOST_RECENT);
  const at = { installation: place.installation, repository: { fullName: place.repository, id } };
  const parts = {
    ...{ threads, pulls: places.pulls(at), record: places.record(at) },
    method: opened.config.merge_method,
    digest: (text: string) => createHash("sha256").update(text).digest(),
  };
  for (const landing of queued) {
    if ((await jobs.requesterOf(landing.id)) !== null) continue;
    const event = recent.find((each) => each.id === landing.id);
    const requester = event && (await landingRequester(parts, place.repository, event));
    if (!requester) continue;
    await jobs.resume(at, { request: landing.id, branch: landing.branch }, requester);
    log.info({ repository: place.repository, pull: landing.pull }, logWords.landingResumed());
  }
}
