import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import { cacheHitRate } from "../../model/token-counts.js";
import type { CostMetrics, CostRanking, CostSum, ProjectMetrics } from "../../run/metrics/project-metrics.js";
import { agentsText } from "../govern/denial-text.js";
import { poolLine } from "../govern/governor-text.js";
import { quotaLine } from "../quota/quota-news.js";
import { percentText } from "../quota/quota-words.js";
import { costSumText, WIDEST_NAME } from "./cost-ranking.js";

/** What `koryph metrics` prints. */
export function metricsText({ machine, quota, run, all }: ProjectMetrics): string[] {
  return [
    ...("problem" in machine
      ? [`machine: ${plainText(machine.problem)}`]
      : [
          `machine: ${machine.leases.length} of ${agentsText(machine.ceiling)} at work`,
          ...machine.pools.map(poolLine),
        ]),
    ...quota.map(quotaLine),
    ...(run === null
      ? ["no run yet"]
      : costLines(`run ${plainText(run.id)}${run.underWay ? ", under way" : ""}`, run.costs)),
    ...(all.runs > 1 ? costLines(`all ${all.runs} runs`, all.costs) : []),
    cacheLine(all.costs.total),
    ...(all.archivedLeftOut
      ? ["earlier events are in archives; `koryph metrics --archived` counts them, too"]
      : []),
  ];
}

function cacheLine({ tokens }: CostSum): string {
  const rate = cacheHitRate(tokens);
  return rate === null
    ? "cache hits: unknown, since no agent's program has told its tokens"
    : `cache hits: ${percentText(rate)} of what models read, over all runs`;
}

/** Said where nobody could tell which bead belongs to which epic. */
export function noEpicsLine(problem: string): string {
  return `koryph: costs of epics are left out: ${plainText(problem)}`;
}

function costLines(title: string, { total, models, epics, beads }: CostMetrics): string[] {
  if (total.agents === 0) return [`${title}: no agent has ended yet`];
  const rows = [
    ...rankingRows("model", models),
    ...(epics === null ? [] : rankingRows("epic", epics)),
    ...rankingRows("bead", beads),
  ];
  return ["", `${title}: ${sumText(total)}`, ...table(rows)];
}

function rankingRows(word: string, { top, rest }: CostRanking): string[][] {
  const rows = top.map((each) => [
    `  ${word}`,
    cutText(plainText(each.name), WIDEST_NAME),
    agentsText(each.agents),
    costSumText(each),
  ]);
  if (rest.names === 0) return rows;
  return [...rows, [`  ${word}`, `… and ${rest.names} more`, agentsText(rest.agents), costSumText(rest)]];
}

function sumText(sum: CostSum): string {
  return `${agentsText(sum.agents)}, ${costSumText(sum)}`;
}
