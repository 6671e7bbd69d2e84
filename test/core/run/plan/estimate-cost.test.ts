import { expect, test } from "vitest";
import { estimateCostUsd } from "../../../../src/core/run/plan/estimate-cost.js";

test.each([
  { name: "a short task on sonnet", model: "sonnet", length: 10, expected: 2.25 },
  { name: "a middling one costs twice as much", model: "sonnet", length: 400, expected: 4.5 },
  { name: "a long one four times", model: "sonnet", length: 2000, expected: 9 },
  { name: "haiku is cheap", model: "haiku", length: 10, expected: 0.3 },
  { name: "a model nobody priced is counted like the dearest", model: "nova", length: 10, expected: 11.25 },
  { name: "no name is a trick", model: "constructor", length: 10, expected: 11.25 },
])("$name", ({ model, length, expected }) => {
  expect(estimateCostUsd(model, "x".repeat(length))).toBeCloseTo(expected);
});
