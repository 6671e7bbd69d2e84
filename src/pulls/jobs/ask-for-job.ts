import { jobsOfLanding, MOST_BASES } from "../../core/jobs/landing-jobs.js";
import type { PullRefusal, RunnerTask } from "../../core/land/pull/pull-refusal.js";
import type { Landing } from "../../core/run/ledger/ledger-state.js";
import { ulid } from "../../lib/ulid.js";
import type { LandPullParts, LandPullSettings } from "../gather-land-facts.js";
import type { RunnerAnswer } from "./runner-jobs.js";

export type JobAnswer =
  | { readonly kind: "done"; readonly job: string; readonly url: string | null }
  | { readonly kind: "waits" | "ended"; readonly refusal: PullRefusal };

/** What a runner is to do for a landing, and with which commits. */
export interface LandingJob {
  readonly kind: RunnerTask;
  readonly head: string;
  readonly base: string;
  /** What the gate runs, as receipts name it; absent for what runs nothing. */
  readonly commands?: string;
}

/**
 * Has a runner do something for a landing: on record first, then asked for. It may be repeated, and has the same name
 * each time: a server that was killed in between finds what it has asked for. Where head or base are others by then, it
 * is another job, and nobody waits for the old one.
 */
export async function askForJob(
  parts: Pick<LandPullParts, "ledger" | "runner" | "digest">,
  { evidence }: Pick<LandPullSettings, "evidence">,
  landing: Landing,
  { kind, head, base, commands }: LandingJob,
): Promise<JobAnswer> {
  const { ledger, runner, digest } = parts;
  if (runner === undefined) throw new Error("a runner is to be asked where there is none");
  const { pull, bead } = landing;
  if (pull === null) throw new Error(`${bead} has no pull request that a runner could work on`);
  const name = Buffer.from(digest(`${kind} ${landing.id} ${head} ${base} ${commands ?? ""}`), "hex");
  const id = ulid(Date.parse(landing.at), name);
  const { state } = await ledger.refresh();
  if (!state.jobs.some((job) => job.id === id)) {
    const before = jobsOfLanding(state.jobs, landing, kind);
    if (before >= MOST_BASES) return ended({ code: "base_busy", moves: before });
    const data = { kind, pull, head, base, ...(commands !== undefined && { commands }) };
    await ledger.observe([{ type: "job.requested", id, bead, ...(evidence && { evidence }), data }]);
    await ledger.share("now");
  }
  const answer = await runner.ask({ id, kind, head, base });
  if (answer.kind === "done") return { kind: "done", job: id, url: answer.url };
  const refusal = refusalOf(kind, answer);
  return answer.kind === "waits" ? { kind: "waits", refusal } : ended(refusal);
}

function ended(refusal: PullRefusal): JobAnswer {
  return { kind: "ended", refusal };
}

function refusalOf(job: RunnerTask, answer: Exclude<RunnerAnswer, { kind: "done" }>): PullRefusal {
  switch (answer.kind) {
    case "waits":
      return { code: "runner_asked", job, url: answer.url };
    case "failed":
      return { code: "runner_failed", job, url: answer.url };
    case "silent":
      return { code: "runner_silent", job, url: answer.url };
    case "refused":
      return { code: "runner_refused", workflow: answer.workflow, status: answer.status };
    case "other-app":
      return { code: "other_app", named: answer.named, own: answer.own };
  }
}
