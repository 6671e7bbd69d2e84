import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LIST_PRICES, LIST_PRICES_READ } from "../../../src/core/runtimes/openai-prices.js";
import { costUsd, pricesOf } from "../../../src/core/runtimes/prices.js";

const own = { "gpt-5.5": { input_usd: 1, output_usd: 2 }, "mock/small": { input_usd: 0, output_usd: 0 } };

test.each<{ name: string; model: string; expected: string | null }>([
  { name: "the project's word goes before the list", model: "gpt-5.5", expected: "project" },
  { name: "a free model is one with a price of nothing", model: "mock/small", expected: "project" },
  { name: "a listed model has list prices", model: "gpt-5.4", expected: "list" },
  { name: "a dated snapshot costs what its model costs", model: "gpt-5.4-2026-03-05", expected: "list" },
  { name: "a provider in front does not matter", model: "openai/gpt-5.4-mini", expected: "list" },
  { name: "another provider's model is another model", model: "azure/gpt-5.4", expected: null },
  { name: "a variant is another model", model: "gpt-5.4-pro", expected: null },
  { name: "an unknown model has no price", model: "mine", expected: null },
  { name: "an inherited property is no model", model: "constructor", expected: null },
])("$name", ({ model, expected }) => expect(pricesOf(model, own)?.by ?? null).toBe(expected));

test("prices are for a million tokens of each kind", () => {
  const prices = { input_usd: 1, output_usd: 10, cache_read_usd: 0.1, cache_write_usd: 2 };
  const million = 1_000_000;
  const tokens = { input: million, output: 2 * million, cacheRead: 3 * million, cacheWrite: 4 * million };
  expect(costUsd(tokens, prices)).toBeCloseTo(1 + 20 + 0.3 + 8, 9);
});

test("cached tokens without a price of their own cost as much as fresh ones", () => {
  const tokens = { input: 0, output: 0, cacheRead: 500_000, cacheWrite: 500_000 };
  expect(costUsd(tokens, { input_usd: 4, output_usd: 0 })).toBeCloseTo(4, 9);
});

test("docs/runtimes.md shows the list and when it was read", () => {
  const page = readFileSync(new URL("../../../docs/runtimes.md", import.meta.url), "utf8");
  const rows = Object.entries(LIST_PRICES).map(
    ([model, { input_usd, cache_read_usd, cache_write_usd, output_usd }]) =>
      `| \`${model}\` | ${[input_usd, cache_read_usd, cache_write_usd ?? "", output_usd].join(" | ")} |`,
  );
  expect(page).toContain(rows.join("\n"));
  expect(page).toContain(`read on ${LIST_PRICES_READ}`);
});
