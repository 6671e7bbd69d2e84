import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import { cacheHitRate } from "../../model/token-counts.js";
import type { CostRanking, CostSum } from "../../run/metrics/project-metrics.js";
import { percentText } from "../quota/quota-words.js";
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
  const { apiUsd, tokens } = sum;
  const rate = cacheHitRate(tokens);
  const notes = [
    ...(apiUsd === undefined ? [] : [`$${apiUsd.toFixed(2)} of it billed by use to an API key`]),
    ...(rate === null ? [] : [`${percentText(rate)} of input from the cache`]),
  ];
  return `${costText(sum) || "nobody knows"}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

export function rankingJson({ top, rest }: CostRanking) {
  return {
    top: top.map((each) => ({ name: each.name, ...sumJson(each) })),
    rest: { names: rest.names, ...sumJson(rest) },
  };
}

export function sumJson({ agents, costUsd, costKnown, apiUsd = 0, tokens }: CostSum) {
  const [cost, api] = [costUsd, apiUsd].map((usd) => Number(usd.toFixed(6)));
  return {
    ...{ agents, cost_usd: cost, cost_known: costKnown, api_cost_usd: api },
    tokens: tokensJson(tokens),
    cache_hit_rate: rateJson(tokens),
  };
}

/** Null where nobody knows. */
export function tokensJson(tokens: CostSum["tokens"]) {
  if (tokens === undefined) return null;
  const { input, output, cacheRead: cache_read, cacheWrite: cache_write } = tokens;
  return { input, output, cache_read, cache_write };
}

/** The same. */
export function rateJson(tokens: CostSum["tokens"]): number | null {
  const rate = cacheHitRate(tokens);
  return rate === null ? null : Number(rate.toFixed(4));
}
