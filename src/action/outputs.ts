import type { ProjectConfig } from "../core/config/project-schema.js";
import { dispatchPlanJson, planAuditJson } from "../core/replies/plan-json.js";
import type { SummaryFacts } from "../core/replies/summary.js";

/** A job may hand on 1 MB of outputs, counted in UTF-16; two of ours can be long. */
const LONGEST_OUTPUT = 200_000;

/** What `action.yml` hands on; null where it would be too long. */
export function outputsOf({ plan, audit, epic, config }: SummaryFacts & { config: ProjectConfig }) {
  return {
    ready: `${plan.ready}`,
    "would-dispatch": plan.dispatch.map(({ bead }) => bead.id).join(","),
    deferred: `${plan.deferred.length}`,
    "parallel-width": `${audit.parallelWidth.current}`,
    plan: unlessTooLong(dispatchPlanJson(plan, { config })),
    audit: unlessTooLong(planAuditJson(audit, { config }, epic)),
  };
}

function unlessTooLong(data: object): string | null {
  const json = JSON.stringify(data);
  return json.length > LONGEST_OUTPUT ? null : json;
}
