import { expect, test } from "vitest";
import { metricsText } from "../../../../src/core/replies/report/metrics-text.js";
import { projectMetrics } from "../../../../src/core/run/metrics/project-metrics.js";

const agent = { run: "r-1", bead: "a", model: "x/\u001b[31m\nred", costUsd: 0, costKnown: false };
const run = {
  ...{ id: "r-2", startedAt: "", mode: "rolling" as const, engineVersion: "1", budgetUsd: null },
  ...{ review: false, choices: {}, ended: null },
};

test("what nobody knows is said, and text of strangers stays in its line", () => {
  const metrics = projectMetrics({
    ...{ state: { run }, ended: [agent, { ...agent, bead: "b", costUsd: 2 }], runs: 2, most: 5 },
    ...{ archivedLeftOut: true, machine: { problem: "broken\u0007" }, quota: undefined, parents: null },
  });
  expect(metricsText(metrics)).toEqual([
    "machine: broken\uFFFD",
    "run r-2, under way: no agent has ended yet",
    "",
    "all 2 runs: 2 agents, about $2.00",
    "  model  x/\uFFFD[31m red  2 agents  about $2.00",
    "  bead   b            1 agent   about $2.00",
    "  bead   a            1 agent   nobody knows",
    "cache hits: unknown, since no agent's program has told its tokens",
    "earlier events are in archives; `koryph metrics --archived` counts them, too",
  ]);
});
