import { createHash } from "node:crypto";
import { beadOfBranch } from "../../core/model/pull.js";
import type { PullJob } from "../../core/model/pull-job.js";
import { isAnalysedByItself } from "../../core/review/pull/decide-automatic.js";
import { ulid } from "../../lib/ulid.js";
import type { PullPlaces } from "../pulls/pull-places.js";
import { servedBy } from "./analysing-for.js";
import type { AnalysisJobs } from "./analysis-jobs.js";
import type { LocalAgents } from "./local-agents.js";

export interface ChangedPullParts {
  readonly places: PullPlaces;
  readonly jobs: AnalysisJobs;
  readonly agents: LocalAgents;
  readonly mayAsk: boolean;
}

/** A pull request was opened, got commits or is a draft no more; null for a delivery about none. */
export async function analyseChanged(
  { places, jobs, agents, mayAsk }: ChangedPullParts,
  job: PullJob | null,
): Promise<void> {
  if (job === null) return;
  await places.where(job, async ({ opened, pulls }) => {
    if (opened.kind === "refuse" || opened.config.review.pulls === "off") return;
    const pull = await pulls.read(job.pull);
    if (pull === null) return;
    const bead = beadOfBranch(pull.head);
    const wanted = isAnalysedByItself({
      ...{ setting: opened.config.review.pulls, open: pull.state === "open", draft: pull.draft },
      ...{ own: bead !== null, served: servedBy({ agents, mayAsk }, job, opened.config) !== null },
    });
    if (!wanted) return;
    const { head, base, number } = pull;
    const digest = createHash("sha256").update(`${job.repository.id} ${number} ${head.sha}`).digest();
    // The same id whenever the same head is told of: nobody can tell when that was first.
    const request = ulid(0, digest);
    const at = { pull: number, head: head.sha, base: base.sha };
    const data = { kind: "review" as const, ...at };
    await opened.ledger.observe([
      { type: "job.requested", id: request, ...(bead !== null && { bead }), data },
    ]);
    await opened.ledger.share("now");
    await jobs.start(job, { request, ...at, only: head.sha });
  });
}
