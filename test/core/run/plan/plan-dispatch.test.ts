import { expect, test } from "vitest";
import type { Bead } from "../../../../src/core/model/bead.js";
import {
  type DispatchFacts,
  type DispatchPlan,
  planDispatch,
} from "../../../../src/core/run/plan/plan-dispatch.js";
import { refusedBeads } from "../../../../src/core/run/plan/route-bead.js";
import { footprintOf } from "../../../../src/core/schedule/footprint.js";
import { type BeadOverrides, bead, ids } from "../../../support/core/beads.js";
import { projectWith } from "../../../support/core/slots.js";

function writer(id: string, rest: BeadOverrides = {}): Bead {
  return bead({ id, ...rest, labels: [`fp:${id}`, ...(rest.labels ?? [])] });
}

const OWN = { default_runtime: "mine", runtimes: { mine: { command: ["./agent"] } } };

const five = ["a", "b", "c", "d", "e"].map((id) => writer(id));

function plan(frontier: readonly Bead[], facts: Partial<DispatchFacts> = {}): DispatchPlan {
  return planDispatch({ config: projectWith(), beads: frontier, frontier, ...facts });
}

function dispatched(made: DispatchPlan): string[] {
  return ids(made.dispatch.map((item) => item.bead));
}

test.each<{ name: string; facts: Partial<DispatchFacts>; width: number; expected: string[] }>([
  { name: "the project's width holds", facts: {}, width: 4, expected: ["a", "b", "c", "d"] },
  { name: "--max narrows it", facts: { max: 2 }, width: 2, expected: ["a", "b"] },
  { name: "--max never widens it", facts: { max: 9 }, width: 4, expected: ["a", "b", "c", "d"] },
  {
    name: "a project may be wider",
    facts: { config: projectWith({ max_concurrent_slots: 5 }) },
    width: 5,
    expected: ["a", "b", "c", "d", "e"],
  },
  {
    name: "beads in flight take places",
    facts: {
      inFlight: ["f-1", "f-2", "f-3"].map((id) => ({ id, footprint: footprintOf([`fp:${id}`], {}) })),
    },
    width: 4,
    expected: ["a"],
  },
  {
    name: "more beads in flight than places leave none",
    facts: {
      max: 1,
      inFlight: ["f-1", "f-2"].map((id) => ({ id, footprint: footprintOf([`fp:${id}`], {}) })),
    },
    width: 1,
    expected: [],
  },
])("$name", ({ facts, width, expected }) => {
  const made = plan(five, facts);
  expect([made.width, dispatched(made)]).toEqual([width, expected]);
});

test("what does not fit is deferred, and everything ready is counted", () => {
  const made = plan(five);
  expect(made.ready).toBe(5);
  expect(made.deferred).toMatchObject([{ bead: { id: "e" }, refusal: { code: "wave_full" } }]);
});

test("a dispatch carries footprint, resources, model, policy, tier and limit, each with its reason", () => {
  const [item] = plan([writer("a", { labels: ["res:gpu"] })]).dispatch;
  expect(item).toEqual({
    bead: writer("a", { labels: ["res:gpu"] }),
    footprint: { reads: [], writes: ["a"] },
    resources: ["gpu"],
    model: "sonnet",
    modelWhy: "stage default (implement)",
    mergePolicy: "manual",
    mergePolicyWhy: "project merge_policy",
    riskTier: 2,
    timeoutSeconds: 1200,
    timeoutWhy: "default",
    runtime: "claude",
    runtimeWhy: "project default_runtime",
    estimateUsd: 2.25,
    stages: [
      {
        task: "review",
        model: "opus",
        modelWhy: "stage default (review)",
        timeoutSeconds: 1200,
        estimateUsd: 6.75,
        optional: false,
      },
    ],
  });
});

test.each<{ name: string; given?: BeadOverrides; facts?: Partial<DispatchFacts>; expected: object }>([
  {
    name: "a model label chooses the model",
    given: { labels: ["model:implement:haiku"] },
    expected: { model: "haiku", modelWhy: "label model:implement:haiku" },
  },
  {
    name: "--default-model chooses it where no label does",
    facts: { defaultModel: "opus" },
    expected: { model: "opus", modelWhy: "run default" },
  },
  {
    name: "--model chooses it before any label",
    given: { labels: ["model:implement:haiku", "model:opus"] },
    facts: { model: "sonnet" },
    expected: {
      model: "sonnet",
      modelWhy: "explicit --model",
      stages: [{ task: "review", model: "sonnet", modelWhy: "explicit --model" }],
    },
  },
  {
    name: "a program of the project's own has no model, and no bill",
    facts: { config: projectWith(OWN) },
    expected: {
      runtime: "mine",
      model: "none",
      modelWhy: "no model is named for this runtime",
      estimateUsd: 0,
      stages: [{ task: "review", model: "none", estimateUsd: 0 }],
    },
  },
  {
    name: "unless a label names one",
    given: { labels: ["model:haiku"] },
    facts: { config: projectWith(OWN) },
    expected: { model: "haiku", estimateUsd: expect.closeTo(0.3) },
  },
  {
    name: "or the project's model map",
    facts: { config: projectWith({ ...OWN, model_map: { standard: "qwen" }, allowed_models: ["qwen"] }) },
    expected: { model: "qwen", stages: [{ task: "review", model: "none" }] },
  },
  {
    name: "what agents have cost here is the estimate",
    facts: { spent: { "claude/sonnet": { attempts: 4, usualUsd: 0.1 } } },
    expected: { estimateUsd: expect.closeTo(0.15), stages: [{ model: "opus", estimateUsd: 6.75 }] },
  },
  {
    name: "the project's model map chooses it otherwise",
    facts: { config: projectWith({ model_map: { standard: "haiku" } }) },
    expected: { model: "haiku", modelWhy: "stage default (implement)" },
  },
  { name: "a risk label sets the tier", given: { labels: ["rt:3"] }, expected: { riskTier: 3 } },
  {
    name: "the project's tier holds otherwise",
    facts: { config: projectWith({ risk_tier_default: 1 }) },
    expected: { riskTier: 1 },
  },
  {
    name: "a timeout label sets the limit",
    given: { labels: ["timeout:60"] },
    expected: { timeoutSeconds: 60, timeoutWhy: "label timeout:60" },
  },
  {
    name: "the project's merge policy holds without an epic",
    facts: { config: projectWith({ merge_policy: "auto" }) },
    expected: { mergePolicy: "auto", mergePolicyWhy: "project merge_policy" },
  },
  {
    name: "a merge label on the bead itself says nothing",
    given: { labels: ["merge:auto"] },
    expected: { mergePolicy: "manual", mergePolicyWhy: "project merge_policy" },
  },
  {
    name: "the project's areas give the footprint",
    given: { labels: ["area:api"] },
    facts: { config: projectWith({ area_map: { api: ["src/api"] } }) },
    expected: { footprint: { reads: [], writes: ["src/api"] } },
  },
])("$name", ({ given = {}, facts = {}, expected }) =>
  expect(plan([bead(given)], facts).dispatch[0]).toMatchObject(expected),
);

test.each([
  { name: "the epic's merge label decides", parent: "epic", expected: "auto" },
  { name: "a merge label further up decides where the parent has none", parent: "part", expected: "auto" },
  { name: "the nearest merge label decides", parent: "careful", expected: "manual" },
])("$name", ({ parent, expected }) => {
  const above = [
    bead({ id: "epic", type: "epic", labels: ["merge:auto"] }),
    bead({ id: "part", type: "feature", parent: "epic" }),
    bead({ id: "careful", type: "feature", parent: "epic", labels: ["merge:manual"] }),
  ];
  const child = writer("a", { parent });
  const made = plan([child], { beads: [...above, child] });
  expect(made.dispatch[0]).toMatchObject({
    mergePolicy: expected,
    mergePolicyWhy: `epic label merge:${expected}`,
  });
});

test("a bead without a usable model is deferred and holds no token", () => {
  const made = plan([
    bead({ id: "a", labels: ["fp:x", "model:fable"] }),
    bead({ id: "b", labels: ["fp:x"] }),
  ]);
  expect(made.deferred).toMatchObject([
    {
      bead: { id: "a" },
      refusal: {
        code: "model_refused",
        problem: "model fable (label model:fable) is not in allowed_models: haiku, sonnet, opus",
      },
    },
  ]);
  expect(dispatched(made)).toEqual(["b"]);
});

test("a bead that no pull request can be opened for is deferred before it costs anything, unless everything lands", () => {
  const epic = bead({ id: "epic", type: "epic", labels: ["merge:pr"] });
  const frontier = [writer("a", { parent: "epic" }), writer("b")];
  const beads = [epic, ...frontier];
  const noPulls = { kind: "no_remote" } as const;
  const made = plan(frontier, { beads, noPulls });
  const refusal = { code: "policy_refused", policy: "pr", rationale: "epic label merge:pr" };
  expect(made.deferred).toMatchObject([{ bead: { id: "a" }, refusal }]);
  expect(dispatched(made)).toEqual(["b"]);
  expect(refusedBeads(beads, projectWith(), { noPulls })).toEqual(new Map([["a", refusal]]));
  expect(dispatched(plan(frontier, { beads, noPulls, direct: true }))).toEqual(["a", "b"]);
  expect(dispatched(plan(frontier, { beads }))).toEqual(["a", "b"]);
});

test("a ready bead with open children outside the frontier is a container", () => {
  const parent = writer("a");
  const child = bead({ id: "c", parent: "a", blockers: ["x"] });
  expect(plan([parent], { beads: [parent, child] }).deferred).toMatchObject([
    { refusal: { code: "container" } },
  ]);
});

test("the project's capacities hold", () => {
  const users = ["a", "b", "c"].map((id) => writer(id, { labels: ["res:gpu"] }));
  const config = projectWith({ resources: { gpu: { capacity: 2 } } });
  expect(plan(users, { config }).deferred).toMatchObject([
    { refusal: { code: "resource_at_capacity", resource: "gpu", by: "a" } },
  ]);
});

test("deferral counts go in and come out", () => {
  const rivals = ["a", "b"].map((id) => bead({ id, labels: ["fp:x"] }));
  expect(plan(rivals, { deferrals: { b: 3 } }).deferrals).toEqual({ a: 0, b: 4 });
});

test("a bead that never runs is skipped", () => {
  expect(plan([bead({ type: "epic" })]).skipped).toMatchObject([
    { refusal: { code: "issue_type", type: "epic" } },
  ]);
});
