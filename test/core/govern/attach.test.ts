import { expect, test } from "vitest";
import { attach, type GovernedAgent } from "../../../src/core/govern/attach.js";
import { configureMachine } from "../../../src/core/govern/configure-machine.js";
import { withdrawDemand } from "../../../src/core/govern/release.js";
import { endAgent } from "../../../src/core/govern/report-rate-limit.js";
import { poolOfAgent } from "../../../src/core/runtimes/pool-of-agent.js";
import { adaptivePool, governor, lease, leases, MINUTE, NOON, poolIn } from "../../support/core/governor.js";

const agentProcess = { pid: 77, start: "770", boot: "boot-1" };
const agent = (given: Partial<GovernedAgent> = {}): GovernedAgent => ({
  ...{ project: "p", bead: "held", attempt: 1, pool: "", folder: "/runs/held" },
  process: agentProcess,
  resources: [],
  ...given,
});

test("a lease is tied to its agent and keeps its time", () => {
  const state = governor({ leases: [lease(), lease({ bead: "other" })] });
  const attached = attach(state, agent(), NOON + MINUTE);
  expect(attached.leases).toEqual([lease({ process: agentProcess }), lease({ bead: "other" })]);
  expect(attach(attached, agent(), NOON + 2 * MINUTE)).toBe(attached);
});

test("an agent at work without a lease gets one, however full the machine is", () => {
  const state = governor({ ceiling: 2, leases: leases(2) });
  const { leases: after } = attach(state, agent({ resources: ["gpu", "gpu"], memoryMb: 5 }), NOON);
  expect(after).toEqual([
    ...leases(2),
    lease({ process: agentProcess, resources: ["gpu"], memoryMb: 5, grantedAt: NOON }),
  ]);
});

test("a later attempt takes an earlier one's place, and an earlier one changes nothing", () => {
  const state = governor({ leases: [lease({ attempt: 2 })] });
  expect(attach(state, agent({ attempt: 1 }), NOON)).toBe(state);
  expect(attach(state, agent({ attempt: 3 }), NOON).leases).toEqual([
    lease({ attempt: 3, process: agentProcess, grantedAt: NOON }),
  ]);
});

test("an agent that met the limit gives its lease back and lowers the cap; without a lease it still does", () => {
  const state = governor({ pools: [adaptivePool()], leases: [lease()] });
  for (const given of [state, governor({ pools: [adaptivePool()] })]) {
    const ended = endAgent(given, agent(), "limited", NOON);
    expect(ended.leases).toEqual([]);
    expect(poolIn(ended)).toMatchObject({ adaptedCap: 4, reportCount: 1 });
  }
});

test("a probe that meets the limit opens the breaker again", () => {
  const breaker = {
    state: "half-open",
    times: 1,
    probe: { project: "p", bead: "held", since: NOON },
  } as const;
  const state = governor({ pools: [adaptivePool({ breaker })], leases: [lease()] });
  expect(poolIn(endAgent(state, agent(), "limited", NOON)).breaker).toMatchObject({
    state: "open",
    times: 2,
  });
  expect(poolIn(endAgent(state, agent(), "clean", NOON)).breaker).toEqual({ state: "closed" });
});

test("a project that wants nothing more leaves its share to the others", () => {
  const demand = ["p", "q"].map((project) => ({ pool: "", project, at: NOON }));
  const state = governor({ demand });
  expect(withdrawDemand(state, "p").demand).toEqual([demand[1]]);
  expect(withdrawDemand(state, "r")).toBe(state);
});

test("the machine's settings are set one by one, and taken back", () => {
  const set = configureMachine(governor(), {
    ceiling: 3,
    capacities: { gpu: 2, port: 0 },
    memoryFloorMb: 10,
  });
  expect(set).toEqual(governor({ ceiling: 3, capacities: { gpu: 2, port: 0 }, memoryFloorMb: 10 }));
  const back = configureMachine(set, { capacities: { gpu: null }, memoryFloorMb: null });
  expect(back).toEqual(governor({ ceiling: 3, capacities: { port: 0 } }));
});

test.each([
  { runtime: "claude", profile: null, pool: "" },
  { runtime: "codex", profile: null, pool: "codex" },
  { runtime: "claude", profile: "work", pool: "claude:work" },
])("$runtime with profile $profile counts in the pool '$pool'", ({ runtime, profile, pool }) =>
  expect(poolOfAgent({ runtime, profile })).toBe(pool),
);
