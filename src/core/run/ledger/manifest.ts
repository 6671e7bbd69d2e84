import type { ProjectConfig } from "../../config/project-schema.js";
import type { Slot } from "./slot.js";

/** What the engine would do next for a slot in each state, in words for whoever finds the folder. */
const NEXT: Readonly<Record<Slot["status"], string>> = {
  queued: "start the next attempt when its time has come and its footprint is free",
  dispatching: "prepare the clone and start the agent",
  running: "wait for the agent, or re-attach to it",
  ended: "decide what follows from how the agent ended",
  passed: "accept the commits, then the next stage, the review or the landing",
  landing: "land it when it is its turn",
  refused: "decide what follows from the refused landing",
  "pr-opened": "nothing, until the pull request lands or is closed",
  "merge-pending": "nothing, until koryph land",
  merged: "close the bead and tidy up, if that is not done yet",
  blocked: "nothing, until koryph retry",
  conflict: "nothing, until koryph retry or a new run",
};

/**
 * The slot at a glance, written beside its files for people and tools. It is made from the ledger and never
 * read back: whoever resumes starts from the ledger and a look at the world.
 */
export function manifestOf(slot: Slot, config: ProjectConfig, worktree: string) {
  return {
    schema_version: 2,
    project_id: config.project_id,
    bead_id: slot.bead,
    run_id: slot.run,
    attempt: slot.attempt,
    tries: slot.tries,
    task: slot.task,
    execution_state: slot.status,
    next_action: NEXT[slot.status],
    note: slot.note,
    runtime: slot.runtime,
    account: slot.account ?? null,
    contained: slot.contained ?? null,
    session_id: slot.session,
    model: slot.model,
    model_why: slot.modelWhy,
    worktree,
    branch: `agent/${slot.bead}`,
    base_commit: slot.candidate?.base ?? slot.began,
    head_commit: slot.head,
    wip_ref: slot.commits > 0 ? `refs/koryph/wip/${slot.bead}` : null,
    landed_commit: slot.landed,
    review_status: slot.review?.verdict ?? null,
    last_refusal: slot.refusal && { result: slot.refusal.result, detail: slot.refusal.detail },
    commits: slot.commits,
    process: slot.process,
    merge_policy: slot.mergePolicy,
    recovery_policy_tier: slot.riskTier,
    cost_usd: slot.costUsd,
    cost_known: slot.costKnown,
    bootstrap_commands: config.bootstrap,
    updated_at: slot.at,
  };
}
