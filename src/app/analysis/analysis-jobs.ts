import { z } from "zod";
import type { AnalysisOutcome, KnownAnalysis } from "../../core/review/pull/decide-analysis.js";
import type { CommentMemory } from "../../ports/comment-memory.js";
import type { Inbox, Lane } from "../../ports/inbox.js";
import { OUTCOME_JOB } from "../comments/watch-outcome.js";
import type { InstalledPlace } from "../pulls/pull-places.js";

/** The name under which a pull request that is to be analysed lies in the inbox. */
export const ANALYSIS_JOB = "koryph.analysis";

export const AnalysisJob = z.object({
  installation: z.number(),
  repository: z.object({ fullName: z.string(), id: z.number() }),
  pull: z.number(),
  /** What the pull request and its base branch were at when it was asked for. */
  head: z.string(),
  base: z.string(),
  /** The event that asked for it. */
  request: z.string(),
  /** Nobody asked for it: once the pull request has another head than this, that one's own job is behind. */
  only: z.string().optional(),
});
export type AnalysisJob = z.infer<typeof AnalysisJob>;

export type StartedAnalysis = Pick<AnalysisJob, "request" | "pull" | "head" | "base" | "only">;

export interface AnalysisJobParts {
  readonly inbox: Pick<Inbox, "add"> & { hasten(lane: Lane, keyStart: string): Promise<number> };
  readonly memory: Pick<CommentMemory, "decide" | "decided">;
  readonly onAdded: (lane: Lane) => void;
  readonly now: () => number;
}

/** Whoever pushes often pushes again at once. What nobody asked for can wait and see whether it is still the head. */
const SETTLE_MS = 30_000;

/** Places among decisions that no command has. */
const PLACE = 0;

/**
 * Analyses that this App was asked for, one at a time for each pull request. How they ended is kept here and not taken
 * from the ledger: whoever can push can write there.
 */
export class AnalysisJobs {
  readonly #parts: AnalysisJobParts;

  constructor(parts: AnalysisJobParts) {
    this.#parts = parts;
  }

  async start({ installation, repository }: InstalledPlace, asked: StartedAnalysis) {
    const payload: AnalysisJob = { installation, repository, ...asked };
    await this.#parts.inbox.add({
      id: `${ANALYSIS_JOB} ${asked.request}`,
      name: ANALYSIS_JOB,
      lane: "analysis",
      key: `analyse ${repository.id} ${asked.pull}`,
      payload: JSON.stringify(payload),
      ...(asked.only !== undefined && { notBefore: this.#parts.now() + SETTLE_MS }),
    });
    this.#parts.onAdded("analysis");
  }

  /** A workflow run of the repository has ended, which one of them may wait for. */
  async wake(repository: number): Promise<void> {
    const { inbox, onAdded } = this.#parts;
    if ((await inbox.hasten("analysis", `analyse ${repository} `)) > 0) onAdded("analysis");
  }

  /** Null while it is not over. */
  async outcomeOf(request: string): Promise<AnalysisOutcome | null> {
    const found = await this.#parts.memory.decided(`analysis ${request}`, PLACE);
    return found === null ? null : (JSON.parse(found) as AnalysisOutcome);
  }

  /** The last analysis of the pull request that this App had made; null when there was none. */
  async known(repository: number, pull: number): Promise<KnownAnalysis | null> {
    const found = await this.#parts.memory.decided(`analysed ${repository} ${pull}`, PLACE);
    return found === null ? null : (JSON.parse(found) as KnownAnalysis | null);
  }

  async drop(repository: number, pull: number): Promise<void> {
    await this.#parts.memory.decide(`analysed ${repository} ${pull}`, PLACE, "null", this.#parts.now());
  }

  /** Kept first; then the reply that waits for it is looked at. */
  async end(job: AnalysisJob, outcome: AnalysisOutcome): Promise<void> {
    const { repository, pull, request } = job;
    const { memory, now } = this.#parts;
    if (outcome.kind === "analysed") {
      const { head, verdict, findings } = outcome;
      const known: KnownAnalysis = { head, verdict, findings };
      await memory.decide(`analysed ${repository.id} ${pull}`, PLACE, JSON.stringify(known), now());
    }
    await memory.decide(`analysis ${request}`, PLACE, JSON.stringify(outcome), now());
    await this.tell(job);
  }

  /** Replies that wait for an outcome are looked at now. */
  async tell({ repository }: InstalledPlace): Promise<void> {
    const { inbox, onAdded } = this.#parts;
    await inbox.hasten("work", `${OUTCOME_JOB} ${repository.fullName} `);
    onAdded("work");
  }
}
