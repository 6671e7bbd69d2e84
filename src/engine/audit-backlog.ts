import type { NoGithub } from "../core/config/github-remote.js";
import type { ProjectConfig } from "../core/config/project-schema.js";
import { refusedBeads } from "../core/run/plan/route-bead.js";
import { auditPlan, LISTED_PAIRS, type PlanAudit } from "../core/schedule/audit-plan.js";
import type { WorkSource } from "../ports/work-source.js";
import { requireBead } from "./plan-run.js";

/** Even "all" has an end: a backlog without labels has more pairs than memory has room for. */
const ALL_PAIRS = 100_000;

export interface AuditOptions {
  readonly epic?: string | undefined;
  readonly all?: boolean | undefined;
  /** Why no pull request can be opened; absent where they can. */
  readonly noPulls?: NoGithub | undefined;
}

export async function auditBacklog(
  source: WorkSource,
  config: ProjectConfig,
  { epic, all, noPulls }: AuditOptions,
): Promise<PlanAudit> {
  const beads = await source.all();
  if (epic !== undefined) requireBead(epic, beads);
  return auditPlan({
    beads,
    areaMap: config.area_map,
    refused: refusedBeads(beads, config, { noPulls }),
    ...(epic === undefined ? {} : { epic }),
    pairLimit: all ? ALL_PAIRS : LISTED_PAIRS,
  });
}
