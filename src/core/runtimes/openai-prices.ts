import type { ModelPrices } from "./prices.js";

/** When the list below was read. */
export const LIST_PRICES_READ = "2026-11-16";

/**
 * List prices of OpenAI's models in USD. Contracts, long contexts and faster tiers cost other amounts, so what
 * is computed from this list is an estimate and never called anything else.
 */
export const LIST_PRICES: ModelPrices = {
  "gpt-5-mini": { input_usd: 0.25, cache_read_usd: 0.025, output_usd: 2 },
  "gpt-5.2": { input_usd: 1.75, cache_read_usd: 0.175, output_usd: 14 },
  "gpt-5.2-codex": { input_usd: 1.75, cache_read_usd: 0.175, output_usd: 14 },
  "gpt-5.3-codex": { input_usd: 1.75, cache_read_usd: 0.175, output_usd: 14 },
  "gpt-5.4": { input_usd: 2.5, cache_read_usd: 0.25, output_usd: 15 },
  "gpt-5.4-mini": { input_usd: 0.75, cache_read_usd: 0.075, output_usd: 4.5 },
  "gpt-5.4-nano": { input_usd: 0.2, cache_read_usd: 0.02, output_usd: 1.25 },
  "gpt-5.5": { input_usd: 5, cache_read_usd: 0.5, output_usd: 30 },
  "gpt-5.6-luna": { input_usd: 0.2, cache_read_usd: 0.02, cache_write_usd: 0.25, output_usd: 1.2 },
  "gpt-5.6-sol": { input_usd: 5, cache_read_usd: 0.5, cache_write_usd: 6.25, output_usd: 30 },
  "gpt-5.6-terra": { input_usd: 2, cache_read_usd: 0.2, cache_write_usd: 2.5, output_usd: 12 },
};
