import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import type { CostRanking, CostSum } from "../../run/metrics/project-metrics.js";
import { costText } from "./row-cells.js";

/** Names come from a ledger that others can write. */
export const WIDEST_NAME = 60;

/** One line; none where nothing was spent. */
export function modelCostLine({ top, rest }: CostRanking): string[] {
  if (top.length === 0) return [];
  const named = top.map((each) => `${cutText(plainText(each.name), WIDEST_NAME)} ${costSumText(each)}`);
  const more = rest.names === 0 ? "" : `, and ${rest.names} more ${costSumText(rest)}`;
  return [`cost by model: ${named.join(", ")}${more}`];
}

export function costSumText(sum: CostSum): string {
  const { apiUsd } = sum;
  const billed = apiUsd === undefined ? "" : ` ($${apiUsd.toFixed(2)} of it billed by use to an API key)`;
  return `${costText(sum) || "nobody knows"}${billed}`;
}

export function rankingJson({ top, rest }: CostRanking) {
  return {
    top: top.map((each) => ({ name: each.name, ...sumJson(each) })),
    rest: { names: rest.names, ...sumJson(rest) },
  };
}

export function sumJson({ agents, costUsd, costKnown, apiUsd = 0 }: CostSum) {
  const [cost, api] = [costUsd, apiUsd].map((usd) => Number(usd.toFixed(6)));
  return { agents, cost_usd: cost, cost_known: costKnown, api_cost_usd: api };
}
