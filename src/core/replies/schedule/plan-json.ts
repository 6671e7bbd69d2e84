import type { ProjectConfig } from "../../config/project-schema.js";
import type { DispatchPlan } from "../../run/plan/plan-dispatch.js";
import type { PlanAudit } from "../../schedule/audit-plan.js";
import type { NotSelected } from "../../schedule/build-wave.js";
import { inTheWayOf } from "../../schedule/dispatch-refusal.js";
import { dispatchRefusalText } from "./schedule.js";

/** What these functions return is a promise to programs: `docs/json.md` describes it and a test holds it. */
interface Named {
  readonly config: ProjectConfig;
}

export function planAuditJson(audit: PlanAudit, { config }: Named, epic?: string) {
  return {
    project_id: config.project_id,
    epic_id: epic ?? null,
    total_open: audit.totalOpen,
    open: audit.open.map(({ id, title, status, priority }) => ({ id, title, status, priority })),
    unlabeled: audit.unlabeled,
    non_dispatchable: audit.nonDispatchable.map(({ id, refusal }) => ({
      id,
      reason_code: refusal.code,
      reason: dispatchRefusalText(refusal),
    })),
    conflicts: audit.conflicts && {
      total: audit.conflicts.total,
      listed: audit.conflicts.listed.map(({ a, b, tokens, mode }) => ({ a, b, shared_tokens: tokens, mode })),
      busiest_tokens: audit.conflicts.busiest,
    },
    parallel_width: audit.parallelWidth,
    stats: {
      ready: audit.stats.ready,
      dispatchable: audit.stats.dispatchable,
      tokens: audit.stats.tokens,
      refactor_core: audit.stats.refactorCore,
      no_dispatch: audit.stats.noDispatch,
    },
    warnings: audit.warnings,
  };
}

export function dispatchPlanJson(plan: DispatchPlan, { config }: Named) {
  return {
    project_id: config.project_id,
    mode: "dry-run",
    width: plan.width,
    ready: plan.ready,
    dispatch: plan.dispatch.map((item) => ({
      id: item.bead.id,
      title: item.bead.title,
      priority: item.bead.priority,
      footprint: item.footprint,
      resources: item.resources,
      runtime: item.runtime,
      runtime_why: item.runtimeWhy,
      model: item.model,
      model_why: item.modelWhy,
      merge_policy: item.mergePolicy,
      merge_policy_why: item.mergePolicyWhy,
      risk_tier: item.riskTier,
      timeout_seconds: item.timeoutSeconds,
      timeout_why: item.timeoutWhy,
    })),
    deferred: plan.deferred.map(notSelected),
    skipped: plan.skipped.map(notSelected),
  };
}

function notSelected({ bead, refusal }: NotSelected) {
  return {
    id: bead.id,
    title: bead.title,
    priority: bead.priority,
    reason_code: refusal.code,
    reason: dispatchRefusalText(refusal),
    by: inTheWayOf(refusal),
  };
}
