import { z } from "zod";
import { JOB_KINDS } from "../../model/job-kind.js";
import { lateObject } from "../../model/late-object.js";

const Sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const PullNumber = z.int().min(1).max(2_147_483_647);

/** Work that a pull request needs and the App's server does not do by itself: it takes agents, a gate or a key. */
export const JOB_EVENTS = {
  /** `head` and `base` are what the pull request and its base branch were at. The event's id names the job. */
  "job.requested": lateObject(() => ({
    kind: z.enum(JOB_KINDS),
    pull: PullNumber,
    head: Sha,
    base: Sha,
    /** What a gate is to run, as receipts name it. */
    commands: z.string().max(100).optional(),
  })),
  /** A runner takes it, in the workflow run of this number; `attempt` is how often the App has asked for it. */
  "job.claimed": lateObject(() => ({
    job: z.string(),
    attempt: z.int().min(1).max(100),
    run: z.int().min(1),
  })),
  /**
   * For whoever reads the record. Everybody who can push can write it, so nobody takes it for a proof that anything was
   * done.
   */
  "job.done": lateObject(() => ({ job: z.string(), code: z.string().max(100) })),
} as const;
