import { expect, test } from "vitest";
import { estimateCostUsd } from "../../../../src/core/run/plan/estimate-cost.js";

test.each([
  { name: "a short task on sonnet", model: "sonnet", length: 10, expected: 2.25 },
  { name: "a middling one costs twice as much", model: "sonnet", length: 400, expected: 4.5 },
  { name: "a long one four times", model: "sonnet", length: 2000, expected: 9 },
  { name: "haiku is cheap", model: "haiku", length: 10, expected: 0.3 },
  { name: "a model without a price counts twice as much", model: "nova", length: 10, expected: 4.5 },
  { name: "no name is a trick", model: "constructor", length: 10, expected: 4.5 },
  { name: "an agent without a model has no bill", model: "none", length: 5000, expected: 0 },
])("$name", ({ model, length, expected }) => {
  const estimate = estimateCostUsd({ runtime: "claude", model, description: "x".repeat(length) });
  expect(estimate).toBeCloseTo(expected);
});

test.each([
  { name: "three attempts say more than any table", model: "nova", attempts: 3, expected: 0.6 },
  { name: "two do not", model: "nova", attempts: 2, expected: 4.5 },
  { name: "also where there is a price", model: "sonnet", attempts: 3, expected: 0.6 },
  { name: "and of an agent that names its cost and no model", model: "none", attempts: 3, expected: 0.6 },
])("$name", ({ model, attempts, expected }) => {
  const spent = { [`mine/${model}`]: { attempts, usualUsd: 0.4 } };
  expect(estimateCostUsd({ runtime: "mine", model, description: "" }, spent)).toBeCloseTo(expected);
  const elsewhere = estimateCostUsd({ runtime: "codex", model: "nova", description: "" }, spent);
  expect(elsewhere).toBe(4.5);
});
