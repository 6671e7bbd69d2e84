import type { ProjectConfig } from "../core/config/project-schema.js";
import { workAdvice } from "../core/replies/work.js";
import { auditPlan, LISTED_PAIRS, type PlanAudit } from "../core/schedule/audit-plan.js";
import { UserError } from "../lib/user-error.js";
import type { WorkSource } from "../ports/work-source.js";

/** Even "all" has an end: a backlog without labels has more pairs than memory has room for. */
const ALL_PAIRS = 1_000_000;

export interface AuditOptions {
  readonly epic?: string | undefined;
  readonly all?: boolean | undefined;
}

export async function auditBacklog(
  source: WorkSource,
  config: ProjectConfig,
  { epic, all }: AuditOptions,
): Promise<PlanAudit> {
  const beads = await source.all();
  if (epic !== undefined && !beads.some((bead) => bead.id === epic))
    throw UserError.of(workAdvice.noBead(epic));
  return auditPlan({
    beads,
    areaMap: config.area_map,
    ...(epic === undefined ? {} : { epic }),
    pairLimit: all ? ALL_PAIRS : LISTED_PAIRS,
  });
}
