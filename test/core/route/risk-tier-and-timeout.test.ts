import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolveRiskTier } from "../../../src/core/route/risk-tier.js";
import { resolveTimeout, type TimeoutRequest } from "../../../src/core/route/stage-timeout.js";

describe("risk tier", () => {
  test.each<{ name: string; labels: string[]; expected: number }>([
    { name: "the project's default holds without a label", labels: ["bug"], expected: 1 },
    { name: "a label beats the default", labels: ["rt:3"], expected: 3 },
    { name: "a label may lower the tier", labels: ["rt:0"], expected: 0 },
    { name: "of several labels the riskiest counts", labels: ["rt:0", "rt:2"], expected: 2 },
    {
      name: "a tier that does not exist says nothing",
      labels: ["rt:4", "rt:", "rt:-1", "rt:1.0", "rt:22"],
      expected: 1,
    },
  ])("$name", ({ labels, expected }) => expect(resolveRiskTier(labels, 1)).toBe(expected));

  test("two hundred thousand labels are a list like any other", () => {
    expect(resolveRiskTier(new Array(200_000).fill("rt:2"), 1)).toBe(2);
  });

  test("the order of labels never matters", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("rt:0", "rt:1", "rt:2", "rt:3", "rt:9")), (labels) => {
        expect(resolveRiskTier(labels.toReversed(), 1)).toBe(resolveRiskTier(labels, 1));
      }),
    );
  });
});

describe("time-out", () => {
  const month = 30 * 24 * 3600;

  test.each<{ name: string; given: Partial<TimeoutRequest>; seconds: number; rationale: string }>([
    { name: "without a word it is 20 minutes", given: {}, seconds: 1200, rationale: "default" },
    { name: "the machine beats the default", given: { machine: 60 }, seconds: 60, rationale: "machine" },
    {
      name: "the project beats the machine",
      given: { machine: 60, project: 90 },
      seconds: 90,
      rationale: "project",
    },
    {
      name: "a label beats the project",
      given: { project: 90, labels: ["timeout:3600"] },
      seconds: 3600,
      rationale: "label timeout:3600",
    },
    {
      name: "of several labels the shortest counts",
      given: { labels: ["timeout:600", "timeout:60"] },
      seconds: 60,
      rationale: "label timeout:60",
    },
    {
      name: "a label of 0 says nothing",
      given: { labels: ["timeout:0", "timeout:60"] },
      seconds: 60,
      rationale: "label timeout:60",
    },
    {
      name: "a label that is no whole number says nothing",
      given: { labels: ["timeout:", "timeout:-5", "timeout:1.5", "timeout:10m", "timeout:1e3"] },
      seconds: 1200,
      rationale: "default",
    },
    {
      name: "a label is held to 30 days",
      given: { labels: [`timeout:${month + 1}`] },
      seconds: month,
      rationale: `label timeout:${month + 1}`,
    },
    {
      name: "a label with more digits than a clock counts is held to 30 days",
      given: { labels: [`timeout:${"9".repeat(400)}`] },
      seconds: month,
      rationale: `label timeout:more than ${month}`,
    },
    {
      name: "two hundred thousand labels are a list like any other",
      given: { labels: Array.from({ length: 200_000 }, (_, n) => `timeout:${n + 60}`) },
      seconds: 60,
      rationale: "label timeout:60",
    },
    {
      name: "the project is held to 30 days",
      given: { project: month + 1 },
      seconds: month,
      rationale: "project",
    },
    {
      name: "the machine is held to 30 days",
      given: { machine: month + 1 },
      seconds: month,
      rationale: "machine",
    },
  ])("$name", ({ given, seconds, rationale }) => {
    expect(resolveTimeout({ labels: [], ...given })).toEqual({ seconds, rationale });
  });

  test("the order of labels never matters", () => {
    const label = fc.constantFrom("timeout:0", "timeout:30", "timeout:900", "timeout:9999999", "timeout:x");
    fc.assert(
      fc.property(fc.array(label), (labels) => {
        expect(resolveTimeout({ labels: labels.toReversed() })).toEqual(resolveTimeout({ labels }));
      }),
    );
  });
});
