import { z } from "zod";
import type { CheckJob } from "../../core/model/check-job.js";
import type { PullJob } from "../../core/model/pull-job.js";
import { LANDING_CHECK } from "../../core/replies/land/pull/landing-check.js";
import type { CommentMemory } from "../../ports/comment-memory.js";
import type { Inbox, Lane } from "../../ports/inbox.js";
import { isShown, shownWith } from "../../pulls/show-standing.js";
import type { InstalledPlace } from "./pull-places.js";

/** The name under which a pull request lies in the inbox whose standing is to be shown. */
export const LOOK_JOB = "koryph.look";

export const LookJob = z.object({
  installation: z.number(),
  repository: z.object({ fullName: z.string(), id: z.number() }),
  pull: z.number(),
});
export type LookJob = z.infer<typeof LookJob>;

/** What happens on a pull request within so many seconds is looked at once, at their end. */
const PEOPLE_MS = 10_000;
/** Checks come by the dozen, and a look asks GitHub a dozen questions. */
const CHECKS_MS = 60_000;

export interface LookJobParts {
  readonly inbox: Pick<Inbox, "add">;
  readonly memory: Pick<CommentMemory, "decide" | "decided">;
  readonly onAdded: (lane: Lane) => void;
  /** The App's own number. */
  readonly app: number;
  readonly now: () => number;
}

/** Has koryph look at pull requests whose standing may have changed. A burst of events makes one look. */
export class LookJobs {
  readonly #parts: LookJobParts;

  constructor(parts: LookJobParts) {
    this.#parts = parts;
  }

  /** Somebody has talked to koryph there. */
  async start(place: InstalledPlace, pull: number): Promise<void> {
    await this.#add(place, pull, PEOPLE_MS);
  }

  /** Something happened on it, which matters where koryph has to do with it. */
  async onPull(job: PullJob | null): Promise<void> {
    if (job === null) return;
    const { memory } = this.#parts;
    if (job.bead === null && !(await isShown(memory, job.repository.id, job.pull))) return;
    await this.#add(job, job.pull, PEOPLE_MS);
  }

  async onCheck(job: CheckJob | null): Promise<void> {
    if (job === null || job.ended === null || this.isOwn(job)) return;
    const pull = await shownWith(this.#parts.memory, job.repository.id, job.ended);
    if (pull !== null) await this.#add(job, pull, CHECKS_MS);
  }

  /** What koryph shows here, it knows: it would look at its own looks for ever. */
  isOwn({ app, name }: CheckJob): boolean {
    return app === this.#parts.app && (name === null || name === LANDING_CHECK);
  }

  async #add({ installation, repository }: InstalledPlace, pull: number, within: number): Promise<void> {
    const { inbox, onAdded, now } = this.#parts;
    const due = (Math.floor(now() / within) + 1) * within;
    const payload: LookJob = { installation, repository, pull };
    const key = `${LOOK_JOB} ${repository.id} ${pull}`;
    const job = { name: LOOK_JOB, lane: "work" as const, payload: JSON.stringify(payload) };
    await inbox.add({ ...job, id: `${key} ${due}`, key: `${key} ${within}`, notBefore: due });
    onAdded("work");
  }
}
