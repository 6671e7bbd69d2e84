import { expect, test } from "vitest";
import { emptyState } from "../../../../src/core/run/ledger/ledger-state.js";
import type { AgentCost } from "../../../../src/core/run/metrics/agent-costs.js";
import {
  costRanking,
  type MetricsFacts,
  projectMetrics,
} from "../../../../src/core/run/metrics/project-metrics.js";
import { adaptivePool, governor, leases, NOON } from "../../../support/core/governor.js";

const agent = (bead: string, costUsd: number, given: Partial<AgentCost> = {}): AgentCost => ({
  ...{ run: "r-1", bead, model: "claude/sonnet", costUsd, costKnown: true },
  ...given,
});
const run = {
  ...{
    id: "r-2",
    startedAt: "2026-01-31T12:00:00Z",
    mode: "wave" as const,
    engineVersion: "1",
    budgetUsd: null,
  },
  ...{ review: false, choices: {}, ended: null },
} as const;
const facts: MetricsFacts = {
  ...{
    state: emptyState(),
    ended: [],
    runs: 0,
    archivedLeftOut: false,
    quota: undefined,
    parents: null,
    most: 2,
  },
  machine: { state: governor(), dead: new Set(), availableMb: null, totalMb: null, now: NOON },
};

test("a ranking names the dearest, then by name, and sums up the rest", () => {
  const ended = [
    agent("b", 1),
    agent("c", 1, { costKnown: false }),
    agent("a", 1),
    agent("d", 2),
    agent("b", 0.5),
  ];
  expect(costRanking(ended, ({ bead }) => bead, 2)).toEqual({
    top: [
      { name: "d", agents: 1, costUsd: 2, costKnown: true },
      { name: "b", agents: 2, costUsd: 1.5, costKnown: true },
    ],
    rest: { names: 2, agents: 2, costUsd: 2, costKnown: false },
  });
});

test("the newest run is told apart from all of them, by epic only where parents are known", () => {
  const ended = [agent("a", 1), agent("b", 2, { run: "r-2" }), agent("c", 4, { run: "r-2" })];
  const known = { ...facts, state: { run }, ended, runs: 2 };
  const metrics = projectMetrics({ ...known, parents: new Map([["b", "epic"]]) });
  expect(metrics.run).toMatchObject({
    id: "r-2",
    underWay: true,
    costs: { total: { agents: 2, costUsd: 6 } },
  });
  expect(metrics.all).toMatchObject({ runs: 2, costs: { total: { agents: 3, costUsd: 7 } } });
  expect(metrics.run?.costs.epics?.top).toEqual([{ name: "epic", agents: 1, costUsd: 2, costKnown: true }]);
  expect(projectMetrics(known).all.costs.epics).toBeNull();
});

test("the machine is told with its pools as of now, or with why nobody can tell", () => {
  const state = governor({ pools: [adaptivePool({ cap: 3 })], leases: leases(2) });
  const machine = { ...facts.machine, state };
  expect(projectMetrics({ ...facts, machine } as MetricsFacts)).toMatchObject({
    machine: { leases: [{}, {}], pools: [{ pool: "", capNow: 3, breaker: { state: "closed" } }] },
    run: null,
    quota: [],
  });
  const unseen = projectMetrics({ ...facts, machine: { problem: "broken" } });
  expect(unseen.machine).toEqual({ problem: "broken" });
});
