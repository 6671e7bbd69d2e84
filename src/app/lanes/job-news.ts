import { logWords } from "../../core/replies/app/serve.js";
import type { Job } from "../../ports/inbox.js";
import { TryLater } from "../../ports/try-later.js";
import type { Metrics } from "../http/metrics.js";
import type { AppLog } from "../http/server-log.js";
import type { JobEnd } from "./lane-taker.js";

export type JobMetrics = Pick<Metrics, "job" | "overdue">;

/** Counts how an attempt at a job ended, and writes it down where somebody may have to look. */
export function tellJobEnd(
  { metrics, log }: { readonly metrics: JobMetrics; readonly log: AppLog },
  { id, name, lane, key, attempt }: Job,
  { kind, ms, error }: JobEnd,
): void {
  const facts = { job: id, name, key, attempt, ms };
  switch (kind) {
    case "done":
      metrics.job(lane, "done", ms / 1000);
      log.debug(facts, logWords.done());
      return;
    case "postponed":
      // Being told to wait is nobody's failure.
      if (error instanceof TryLater) {
        log.debug({ ...facts, why: error.message }, logWords.waits());
        return;
      }
      metrics.job(lane, "failed", ms / 1000);
      log.warn({ ...facts, err: error }, logWords.failed());
      return;
    case "buried":
      metrics.job(lane, "buried", ms / 1000);
      log.error({ ...facts, err: error }, logWords.givenUp());
      return;
    case "overdue":
      metrics.overdue(lane);
      log.warn(facts, logWords.overdue());
      return;
    case "put-back":
      log.info(facts, logWords.putBack());
  }
}
