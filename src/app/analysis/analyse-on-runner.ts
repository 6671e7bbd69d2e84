import type { AnalysisFailure, AnalysisOutcome } from "../../core/review/pull/decide-analysis.js";
import { TryLater } from "../../ports/try-later.js";
import type { RunnerJobs } from "../../pulls/jobs/runner-jobs.js";
import type { AnalysisJob } from "./analysis-jobs.js";

/** Webhooks tell of runs that ended; this is for those that never come. */
const LOOK_MS = 60_000;

/** Has a runner read it. Throws `TryLater` until its run has ended, or has been silent for too long. */
export async function analyseOnRunner(
  runner: RunnerJobs,
  { request: id, head, base }: AnalysisJob,
  now: () => number,
): Promise<AnalysisOutcome> {
  const answer = await runner.ask({ id, kind: "review", head, base });
  const at = new Date(now()).toISOString();
  const failed = (why: AnalysisFailure): AnalysisOutcome => ({ kind: "unanalysed", at, why });
  switch (answer.kind) {
    case "waits":
      throw new TryLater("a runner is at it", now() + LOOK_MS);
    case "done":
      return { kind: "analysed", at, head, verdict: null, findings: 0, url: answer.url };
    case "failed":
      return failed({ code: "runner_failed", url: answer.url });
    case "silent":
      return failed({ code: "runner_silent", url: answer.url });
    case "refused":
      return failed({ code: "runner_refused", workflow: answer.workflow, status: answer.status });
    case "other-app":
      return failed({ code: "other_app", named: answer.named, own: answer.own });
  }
}
