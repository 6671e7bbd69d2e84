import type { LedgerEvent } from "../ledger-event.js";
import type { LedgerState } from "../ledger-state.js";

type JobEvent = Extract<LedgerEvent, { type: `job.${string}` }>;

/** Older ones nobody waits for; whoever can push could ask for thousands. */
const MOST_JOBS = 100;

/** Moves what is known of jobs, in place. */
export function foldJob(state: LedgerState, event: JobEvent): void {
  switch (event.type) {
    case "job.requested": {
      const { id, at, evidence = null, data } = event;
      state.jobs = [...state.jobs, { id, at, ...data, evidence, claimed: [] }].slice(-MOST_JOBS);
      return;
    }
    case "job.claimed": {
      const { job: id, attempt } = event.data;
      state.jobs = state.jobs.map((job) =>
        job.id === id && !job.claimed.includes(attempt)
          ? { ...job, claimed: [...job.claimed, attempt] }
          : job,
      );
      return;
    }
    case "job.done":
    // Told, and not believed: it changes nothing that anybody decides on.
  }
}
