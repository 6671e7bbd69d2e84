import { expect, test } from "vitest";
import type { Stage } from "../../../../src/core/run/ledger/slot.js";
import { planDispatch } from "../../../../src/core/run/plan/plan-dispatch.js";
import { planStages } from "../../../../src/core/run/plan/plan-stages.js";
import { bead } from "../../../support/core/beads.js";
import { projectWith } from "../../../support/core/slots.js";

interface Given {
  readonly labels?: readonly string[];
  readonly description?: string;
  readonly config?: object;
  readonly defaultModel?: string;
}

const docs = { name: "docs", prompt: "write docs" };
const debug = { name: "debug", prompt: "look for mistakes" };

function plan({ labels = [], description = "", config = {}, defaultModel }: Given) {
  return planStages({ labels, description }, projectWith(config), "claude", { defaultModel });
}

function stages(given: Given): readonly Stage[] {
  const choice = plan(given);
  if (choice.kind === "refused") throw new Error(choice.reason);
  return choice.stages;
}

test("the stages follow in the pipeline's order, then the review", () => {
  const config = { pipeline: [debug, docs] };
  expect(stages({ config }).map(({ task }) => task)).toEqual(["stage:debug", "stage:docs", "review"]);
});

test("each has a model, a limit and an estimate of its own", () => {
  expect(stages({ config: { pipeline: [{ ...docs, timeout_seconds: 90, optional: true }] } })).toEqual([
    {
      task: "stage:docs",
      model: "sonnet",
      modelWhy: "stage default (docs)",
      timeoutSeconds: 90,
      estimateUsd: 2.25,
      optional: true,
    },
    {
      task: "review",
      model: "opus",
      modelWhy: "stage default (review)",
      timeoutSeconds: 1200,
      estimateUsd: 6.75,
      optional: false,
    },
  ]);
});

test.each<{ name: string; given: Given; models: string[] }>([
  {
    name: "a stage's own model",
    given: { config: { pipeline: [{ ...docs, model: "haiku" }] } },
    models: ["haiku", "opus"],
  },
  {
    name: "--default-model where the stage names none",
    given: { config: { pipeline: [docs, { ...debug, model: "sonnet" }] }, defaultModel: "haiku" },
    models: ["haiku", "sonnet", "haiku"],
  },
  {
    name: "a label for the stage before the stage's own model",
    given: { labels: ["model:docs:opus"], config: { pipeline: [{ ...docs, model: "haiku" }] } },
    models: ["opus", "opus"],
  },
  {
    name: "a label for the review, and for the review alone",
    given: { labels: ["model:review:haiku"], config: { pipeline: [docs] } },
    models: ["sonnet", "haiku"],
  },
  {
    name: "a label for all",
    given: { labels: ["model:haiku"], config: { pipeline: [docs] } },
    models: ["haiku", "haiku"],
  },
  {
    name: "a label for the implementing leaves them alone",
    given: { labels: ["model:implement:haiku"], config: { pipeline: [docs] } },
    models: ["sonnet", "opus"],
  },
  {
    name: "the project's map",
    given: { config: { pipeline: [docs], model_map: { standard: "haiku", frontier: "sonnet" } } },
    models: ["haiku", "sonnet"],
  },
])("models come from $name", ({ given, models }) => {
  expect(stages(given).map(({ model }) => model)).toEqual(models);
});

test.each<{ name: string; given: Given; seconds: number[] }>([
  { name: "the default", given: { config: { pipeline: [docs] } }, seconds: [1200, 1200] },
  {
    name: "the stage and the review themselves",
    given: { config: { pipeline: [{ ...docs, timeout_seconds: 90 }], review: { timeout_seconds: 60 } } },
    seconds: [90, 60],
  },
  {
    name: "a label of the bead, for all of them",
    given: { labels: ["timeout:30"], config: { pipeline: [{ ...docs, timeout_seconds: 90 }] } },
    seconds: [30, 30],
  },
])("limits come from $name", ({ given, seconds }) => {
  expect(stages(given).map(({ timeoutSeconds }) => timeoutSeconds)).toEqual(seconds);
});

test("a longer description makes all of them dearer", () => {
  const config = { pipeline: [docs] };
  const sum = (length: number) =>
    stages({ config, description: "x".repeat(length) }).reduce((all, each) => all + each.estimateUsd, 0);
  expect([0, 400, 2000].map(sum)).toEqual([9, 18, 36]);
});

test.each<{ name: string; given: Given; reason: string }>([
  {
    name: "a stage",
    given: { config: { pipeline: [{ ...docs, model: "gpt" }] } },
    reason: "docs: model gpt (",
  },
  {
    name: "an optional stage",
    given: { labels: ["model:docs:gpt"], config: { pipeline: [{ ...docs, optional: true }] } },
    reason: "docs: model gpt (label model:docs:gpt) is not in allowed_models: haiku, sonnet, opus",
  },
  {
    name: "the review",
    given: { labels: ["model:review:gpt"] },
    reason: "review: model gpt (label model:review:gpt) is not in allowed_models: haiku, sonnet, opus",
  },
  {
    name: "a stage with labels that disagree",
    given: { labels: ["model:docs:opus", "model:docs:haiku"], config: { pipeline: [docs] } },
    reason: "docs: labels model:docs:haiku and model:docs:opus disagree",
  },
])("a model that may not be used for $name is refused", ({ given, reason }) => {
  expect(plan(given)).toEqual({ kind: "refused", reason: expect.stringContaining(reason) });
});

test("a bead whose stage or review has no model is held back before anything starts", () => {
  const frontier = [
    bead({ id: "a", labels: ["fp:x", "model:review:gpt"] }),
    bead({ id: "b", labels: ["fp:x"] }),
  ];
  const made = planDispatch({ config: projectWith(), beads: frontier, frontier });
  expect(made.deferred).toMatchObject([
    {
      bead: { id: "a" },
      refusal: { code: "model_refused", problem: expect.stringContaining("review: model gpt") },
    },
  ]);
  expect(made.dispatch.map((item) => item.bead.id)).toEqual(["b"]);
});
