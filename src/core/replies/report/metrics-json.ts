import type { CostMetrics, ProjectMetrics } from "../../run/metrics/project-metrics.js";
import { poolJson } from "../govern/governor-text.js";
import { quotaReportJson } from "../quota/quota-news.js";
import { rankingJson, rateJson, sumJson } from "./cost-ranking.js";

/** A promise to programs, as docs/json.md describes it. */
export function metricsJson({ machine, quota, run, all }: ProjectMetrics, project: string) {
  const unseen = "problem" in machine;
  return {
    schema_version: 1,
    project_id: project,
    machine: unseen ? null : { ceiling: machine.ceiling, at_work: machine.leases.length },
    machine_problem: unseen ? machine.problem : null,
    pools: unseen ? [] : machine.pools.map(poolJson),
    quota: quota.map(quotaReportJson),
    cache_hit_rate: rateJson(all.costs.total.tokens),
    run: run && { id: run.id, under_way: run.underWay, ...costsJson(run.costs) },
    all: { runs: all.runs, archived_left_out: all.archivedLeftOut, ...costsJson(all.costs) },
  };
}

function costsJson({ total, models, epics, beads }: CostMetrics) {
  return {
    ...sumJson(total),
    models: rankingJson(models),
    epics: epics && rankingJson(epics),
    beads: rankingJson(beads),
  };
}
