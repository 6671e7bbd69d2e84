import type { JobKind } from "../../core/model/job-kind.js";

/** Work that a runner is to do. */
export interface AskedJob {
  /** The event that asked for it. */
  readonly id: string;
  readonly kind: JobKind;
  readonly head: string;
  readonly base: string;
}

/** How it stands with a job, as far as GitHub shows the run that was started for it here. */
export type RunnerAnswer =
  /** Addresses of runs are null where it is not known that there is one. */
  | { readonly kind: "waits"; readonly url: string | null }
  | { readonly kind: "done"; readonly url: string | null }
  | { readonly kind: "failed"; readonly url: string | null }
  /** It was asked twice, and did not answer in its time. */
  | { readonly kind: "silent"; readonly url: string | null }
  /** GitHub does not start the workflow. */
  | { readonly kind: "refused"; readonly workflow: string; readonly status: number }
  /** The project lets another App ask its runners. */
  | { readonly kind: "other-app"; readonly named: string; readonly own: string };

/** Runners of one repository, which do what whoever lands must not do itself. */
export interface RunnerJobs {
  /** What they have a workflow job for. */
  readonly kinds: ReadonlySet<JobKind>;
  /** Starts it where that was not done yet. May be repeated: a job that is under way is looked at. */
  ask(job: AskedJob): Promise<RunnerAnswer>;
}
