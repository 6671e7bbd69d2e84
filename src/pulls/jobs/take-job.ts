import type { ProjectConfig } from "../../core/config/project-schema.js";
import { type JobFacts, type JobInputs, refuseJob } from "../../core/jobs/decide-job.js";
import type { JobKind } from "../../core/model/job-kind.js";
import { beadOfBranch } from "../../core/model/pull.js";
import { jobAdvice } from "../../core/replies/surfaces/job-words.js";
import { isAnalysedByItself } from "../../core/review/pull/decide-automatic.js";
import type { KnownJob } from "../../core/run/ledger/ledger-state.js";
import { UserError } from "../../lib/user-error.js";
import type { Workflows } from "../../ports/check-runs.js";
import type { Ledger, LedgerView } from "../../ports/ledger.js";
import type { PullRecord } from "../../ports/pull-record.js";
import type { PullFacts, Pulls } from "../../ports/pulls.js";
import type { EvidenceParts } from "../approvals/check-evidence.js";
import { checkJobRequest } from "./check-job-request.js";
import { isApprovedHead } from "./is-approved-head.js";

export interface TakeJobParts extends EvidenceParts {
  readonly record: PullRecord;
  readonly ledger: Pick<Ledger, "refresh" | "claim">;
  readonly pulls: Pick<Pulls, "read">;
  readonly workflows: Pick<Workflows, "defaultBranch" | "run">;
  /** Where git has the pull request's branch and its base: GitHub tells of a base that moved only later. */
  readonly tips: (pull: PullFacts) => Promise<{ readonly head: string | null; readonly base: string }>;
}

export interface TakenJobFacts {
  readonly inputs: JobInputs;
  /** The workflow run that this process is part of. */
  readonly run: number;
  /** `owner/name`. */
  readonly repository: string;
  readonly config: Pick<ProjectConfig, "jobs" | "review" | "land">;
  /** What the gate runs here, as receipts name it. */
  readonly commands: string;
}

/** A job that nobody else does, and its pull request as GitHub shows it. */
export type TakenJob = KnownJob & { readonly shown: PullFacts };

/** Others append as well; more often than this in a row, something is wrong. */
const MOST_TRIES = 10;

/**
 * Takes a job for this runner and for no other, or throws a `UserError` that says why not. A gate is not taken: run
 * twice it does no harm, and the job that runs other people's commits is not to have a token that can write.
 */
export async function takeJob(parts: TakeJobParts, facts: TakenJobFacts): Promise<TakenJob> {
  const { inputs, run } = facts;
  let view = await parts.ledger.refresh();
  for (let left = MOST_TRIES; left > 0; left -= 1) {
    const gathered = await gather(parts, facts, view);
    const refusal = refuseJob(gathered);
    if (refusal !== null || gathered.asked === null || gathered.shown === null)
      throw UserError.of(jobAdvice.refused(refusal ?? "unknown_job"));
    const taken = { ...gathered.asked, shown: gathered.shown };
    if (taken.kind === "gate") return taken;
    const data = { job: inputs.job, attempt: inputs.attempt, run };
    const claim = await parts.ledger.claim([{ type: "job.claimed", data }], view);
    if (claim.kind === "won") return taken;
    view = claim.view;
  }
  throw new Error(`the ledger moved ${MOST_TRIES} times while a job was taken`);
}

async function gather(
  parts: TakeJobParts,
  { inputs, run, repository, config, commands }: TakenJobFacts,
  { state }: LedgerView,
): Promise<JobFacts & { readonly shown: PullFacts | null }> {
  const asked = state.jobs.find(({ id }) => id === inputs.job) ?? null;
  const pull = asked === null ? null : await parts.pulls.read(asked.pull);
  const { app, workflow = "" } = config.jobs;
  return {
    ...{ inputs, asked, shown: pull, run: await parts.workflows.run(run) },
    expected: { app, workflow, defaultBranch: await parts.workflows.defaultBranch() },
    request:
      asked === null || asked.evidence === null
        ? null
        : await checkJobRequest(parts, { repository, pull: asked.pull, kind: asked.kind }, asked.evidence),
    automatic:
      pull !== null &&
      asked?.kind === "review" &&
      isAnalysedByItself({
        ...{ setting: config.review.pulls, open: pull.state === "open", draft: pull.draft },
        ...{ own: beadOfBranch(pull.head) !== null, served: true },
      }),
    commands,
    approved:
      pull === null ||
      !pull.head.fork ||
      asked?.kind !== "gate" ||
      (await isApprovedHead(parts, {
        ...{ repository, pull, head: asked.head, state, requester: asked.evidence, config },
      })),
    pull: pull && { open: pull.state === "open", ...(await placeOf(parts, pull, asked?.kind)) },
  };
}

/** A review is about what GitHub shows; what is to land has to be where git has it. */
async function placeOf(parts: TakeJobParts, pull: PullFacts, kind: JobKind | undefined) {
  if (kind === "review" || kind === undefined) return { head: pull.head.sha, base: pull.base.sha };
  const { head, base } = await parts.tips(pull);
  return { head: head ?? "", base };
}
