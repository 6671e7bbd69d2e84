import type { ModelPrices, TokenPrices } from "../prices.js";

/**
 * List prices of Anthropic's models in USD, by family. Cache writes are those that last five minutes; those that last
 * an hour cost twice the input. Contracts and faster tiers cost other amounts.
 */
const FAMILIES: ModelPrices = {
  "opus-4-5": { input_usd: 5, output_usd: 25, cache_read_usd: 0.5, cache_write_usd: 6.25 },
  "opus-4-6": { input_usd: 5, output_usd: 25, cache_read_usd: 0.5, cache_write_usd: 6.25 },
  "opus-4-1": { input_usd: 15, output_usd: 75, cache_read_usd: 1.5, cache_write_usd: 18.75 },
  "opus-4": { input_usd: 15, output_usd: 75, cache_read_usd: 1.5, cache_write_usd: 18.75 },
  "sonnet-4-6": { input_usd: 3, output_usd: 15, cache_read_usd: 0.3, cache_write_usd: 3.75 },
  "sonnet-4-5": { input_usd: 3, output_usd: 15, cache_read_usd: 0.3, cache_write_usd: 3.75 },
  "sonnet-4": { input_usd: 3, output_usd: 15, cache_read_usd: 0.3, cache_write_usd: 3.75 },
  "haiku-4-5": { input_usd: 1, output_usd: 5, cache_read_usd: 0.1, cache_write_usd: 1.25 },
  "3-7-sonnet": { input_usd: 3, output_usd: 15, cache_read_usd: 0.3, cache_write_usd: 3.75 },
  "3-5-haiku": { input_usd: 0.8, output_usd: 4, cache_read_usd: 0.08, cache_write_usd: 1 },
};

/** Null for a model that is not on the list. Dated snapshots and the names that clouds give it cost what it costs. */
export function anthropicPrices(model: string): TokenPrices | null {
  const [, family = ""] =
    /claude-([a-z0-9-]+?)(?:-latest|[-@]\d{8})?(?:-v\d.*)?(?:\[1m\])?$/.exec(model) ?? [];
  return (Object.hasOwn(FAMILIES, family) ? FAMILIES[family] : undefined) ?? null;
}

/** What a model that nobody knows is counted at: too much rather than too little. */
export const DEAREST_ANTHROPIC: TokenPrices = {
  input_usd: 15,
  output_usd: 75,
  cache_read_usd: 1.5,
  cache_write_usd: 18.75,
};
