import type { TokenCounts } from "../model/token-counts.js";
import { LIST_PRICES } from "./openai-prices.js";

/** What a million tokens cost, as `runtimes.<name>.prices` spells it. */
export interface TokenPrices {
  readonly input_usd: number;
  readonly output_usd: number;
  readonly cache_read_usd?: number | undefined;
  readonly cache_write_usd?: number | undefined;
}

export type ModelPrices = Readonly<Record<string, TokenPrices>>;

export interface PricedModel {
  readonly prices: TokenPrices;
  /** Whose word it is: the project's, or a list that the provider publishes. */
  readonly by: "project" | "list";
}

/** Null when nobody says what the model costs. The project's prices go by the very name it uses. */
export function pricesOf(model: string, own: ModelPrices): PricedModel | null {
  if (Object.hasOwn(own, model)) return own[model] ? { prices: own[model], by: "project" } : null;
  // A dated snapshot, `gpt-5.5-2026-04-23`, costs what its model costs.
  const listed = model.replace(/^openai\//, "").replace(/-\d{4}-\d{2}-\d{2}$/, "");
  const prices = Object.hasOwn(LIST_PRICES, listed) ? LIST_PRICES[listed] : undefined;
  return prices ? { prices, by: "list" } : null;
}

/** Cached tokens without a price of their own cost as much as fresh ones: too much rather than too little. */
export function costUsd(tokens: TokenCounts, prices: TokenPrices): number {
  const { input_usd, output_usd, cache_read_usd = input_usd, cache_write_usd = input_usd } = prices;
  const perMillion =
    tokens.input * input_usd +
    tokens.output * output_usd +
    tokens.cacheRead * cache_read_usd +
    tokens.cacheWrite * cache_write_usd;
  return perMillion / 1_000_000;
}

/** What this attempt cost. A counter below its baseline has begun anew, so all of it is ours. */
export function attemptCostUsd(counterUsd: number, scope: "run" | "session", baselineUsd: number): number {
  if (scope === "run" || counterUsd < baselineUsd) return counterUsd;
  return counterUsd - baselineUsd;
}
