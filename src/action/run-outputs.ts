import { outcomeJson, type RunSummary } from "../core/replies/run/progress.js";
import type { RunOutcome } from "../core/run/tick/run-outcome.js";
import { unlessTooLong } from "./outputs.js";

const LONGEST_RESULT = 200_000;

/** What `action.yml` hands on after a run; null where it would be too long. `code` is what the run ended with. */
export function runOutputs(summary: RunSummary, code: number) {
  const result = outcomeJson(summary, code);
  return {
    outcome: result.outcome,
    reason_code: result.reason_code,
    run_id: result.run_id,
    dispatched: `${result.dispatched}`,
    merged: `${result.merged}`,
    pr_opened: `${result.pr_opened}`,
    failed: `${result.failed}`,
    blocked: `${result.blocked}`,
    drained: `${result.code === 4}`,
    cost_usd: result.cost_usd.toFixed(2),
    result: unlessTooLong(JSON.stringify(result), LONGEST_RESULT),
  };
}

/** The same where no run began: another engine is at work, or something has to be put right first. */
export function notBegunOutputs(
  outcome: RunOutcome,
  reason: string,
  error: { readonly message: string; readonly hint: string },
): Readonly<Record<string, string>> {
  const { message, hint } = error;
  const result = { schema_version: 1, run_id: null, outcome, reason_code: reason, error: { message, hint } };
  const counts = ["dispatched", "merged", "pr_opened", "failed", "blocked"];
  return {
    ...{ outcome, reason_code: reason, run_id: "" },
    ...Object.fromEntries(counts.map((name) => [name, "0"])),
    ...{ drained: "false", cost_usd: "0.00", result: JSON.stringify(result) },
  };
}
