import type { ProjectConfig } from "../core/config/project-schema.js";
import { dispatchPlanJson, planAuditJson } from "../core/replies/schedule/plan-json.js";
import type { SummaryFacts } from "../core/replies/schedule/summary.js";

/** A job may hand on 1 MB of outputs in all, counted in UTF-16; three of ours can be long. */
const LONGEST_JSON = 200_000;
const LONGEST_LIST = 50_000;

/** What `action.yml` hands on; null where it would be too long. */
export function outputsOf({ plan, audit, epic, config }: SummaryFacts & { config: ProjectConfig }) {
  return {
    ready: `${plan.ready}`,
    "would-dispatch": unlessTooLong(plan.dispatch.map(({ bead }) => bead.id).join(","), LONGEST_LIST),
    deferred: `${plan.deferred.length}`,
    "parallel-width": `${audit.parallelWidth.current}`,
    plan: unlessTooLong(JSON.stringify(dispatchPlanJson(plan, { config })), LONGEST_JSON),
    audit: unlessTooLong(JSON.stringify(planAuditJson(audit, { config }, epic)), LONGEST_JSON),
  };
}

/** Null for a text that GitHub would not hand on. */
export function unlessTooLong(text: string, longest: number): string | null {
  return text.length > longest ? null : text;
}
