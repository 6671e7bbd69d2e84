import fc from "fast-check";
import { expect, test } from "vitest";
import { type ModelChoice, type ModelRequest, resolveModel } from "../../../src/core/route/resolve-model.js";

const base: ModelRequest = { stage: "implement" };

function chosen(model: string, rationale: string): ModelChoice {
  return { kind: "chosen", model, rationale };
}

function refused(reason: string): ModelChoice {
  return { kind: "refused", reason };
}

test.each<{ name: string; given: Partial<ModelRequest>; expected: ModelChoice }>([
  { name: "a stage has a default", given: {}, expected: chosen("sonnet", "stage default (implement)") },
  {
    name: "the run default beats the stage default",
    given: { runDefault: "haiku" },
    expected: chosen("haiku", "run default"),
  },
  {
    name: "a label beats the run default",
    given: { runDefault: "haiku", labels: ["model:opus"] },
    expected: chosen("opus", "label model:opus"),
  },
  {
    name: "a label for the stage beats a plain one",
    given: { labels: ["model:opus", "model:implement:haiku"] },
    expected: chosen("haiku", "label model:implement:haiku"),
  },
  {
    name: "the flag beats every label",
    given: { flag: "opus", labels: ["model:implement:haiku", "model:haiku"], runDefault: "haiku" },
    expected: chosen("opus", "explicit --model"),
  },
  {
    name: "a label for another stage says nothing",
    given: { labels: ["model:review:opus"] },
    expected: chosen("sonnet", "stage default (implement)"),
  },
  {
    name: "an empty label says nothing",
    given: { labels: ["model:", "model:implement:"] },
    expected: chosen("sonnet", "stage default (implement)"),
  },
  {
    name: "an empty flag says nothing",
    given: { flag: "" },
    expected: chosen("sonnet", "stage default (implement)"),
  },
  {
    name: "one label given twice does not disagree with itself",
    given: { labels: ["model:opus", "model:opus"] },
    expected: chosen("opus", "label model:opus"),
  },
  {
    name: "labels that disagree choose no model",
    given: { labels: ["model:opus", "model:haiku"] },
    expected: refused("labels model:haiku and model:opus disagree"),
  },
  {
    name: "labels that disagree do not matter under one for the stage",
    given: { labels: ["model:opus", "model:haiku", "model:implement:sonnet"] },
    expected: chosen("sonnet", "label model:implement:sonnet"),
  },
  {
    name: "labels for the stage that disagree choose no model",
    given: { labels: ["model:implement:opus", "model:implement:haiku"] },
    expected: refused("labels model:implement:haiku and model:implement:opus disagree"),
  },
  {
    name: "the flag settles labels that disagree",
    given: { flag: "haiku", labels: ["model:opus", "model:haiku"] },
    expected: chosen("haiku", "explicit --model"),
  },
  {
    name: "the model map decides what a tier is",
    given: { modelMap: { standard: "opus" } },
    expected: chosen("opus", "stage default (implement)"),
  },
  {
    name: "a tier that the map leaves out keeps its default",
    given: { modelMap: { frontier: "haiku" } },
    expected: chosen("sonnet", "stage default (implement)"),
  },
])("$name", ({ given, expected }) => expect(resolveModel({ ...base, ...given })).toEqual(expected));

test.each([
  ...["plan", "design", "score", "review"].map((stage) => ({ stage, model: "opus" })),
  ...["implement", "docs", "test", "lint", "constructor"].map((stage) => ({ stage, model: "sonnet" })),
  ...["explore", "debug"].map((stage) => ({ stage, model: "haiku" })),
])("stage $stage runs on $model by default", ({ stage, model }) => {
  expect(resolveModel({ stage })).toEqual(chosen(model, `stage default (${stage})`));
});

test.each<{ name: string; given: Partial<ModelRequest>; expected: ModelChoice }>([
  {
    name: "a flag outside the allow-list is refused",
    given: { flag: "gpt" },
    expected: refused("model gpt (explicit --model) is not in allowed_models: haiku, sonnet, opus"),
  },
  {
    name: "a label outside the allow-list is refused, not passed over",
    given: { labels: ["model:gpt"], runDefault: "haiku" },
    expected: refused("model gpt (label model:gpt) is not in allowed_models: haiku, sonnet, opus"),
  },
  {
    name: "a stage default outside the allow-list is refused",
    given: { allowed: ["haiku"] },
    expected: refused("model sonnet (stage default (implement)) is not in allowed_models: haiku"),
  },
  {
    name: "a project may allow a model of its own",
    given: { flag: "gpt", allowed: ["gpt"] },
    expected: chosen("gpt", "explicit --model"),
  },
])("$name", ({ given, expected }) => expect(resolveModel({ ...base, ...given })).toEqual(expected));

const withFable = ["haiku", "sonnet", "opus", "fable"];

test.each<{ name: string; given: Partial<ModelRequest>; expected: ModelChoice }>([
  {
    name: "by a flag",
    given: { flag: "fable", allowed: withFable },
    expected: chosen("fable", "explicit --model"),
  },
  {
    name: "by a label",
    given: { labels: ["model:fable"], allowed: withFable },
    expected: chosen("fable", "label model:fable"),
  },
  {
    name: "by a flag only where it is allowed",
    given: { flag: "fable" },
    expected: refused("model fable (explicit --model) is not in allowed_models: haiku, sonnet, opus"),
  },
  {
    name: "never by a run default",
    given: { runDefault: "fable", allowed: withFable },
    expected: refused("model fable (run default) is used only when a label asks for it"),
  },
  {
    name: "never by the model map",
    given: { modelMap: { standard: "fable" }, allowed: withFable },
    expected: refused("model fable (stage default (implement)) is used only when a label asks for it"),
  },
])("fable is chosen $name", ({ given, expected }) =>
  expect(resolveModel({ ...base, ...given })).toEqual(expected),
);

const modelLabel = fc.constantFrom(
  "model:opus",
  "model:haiku",
  "model:fable",
  "model:implement:opus",
  "model:implement:haiku",
  "model:review:opus",
  "model:",
  "bug",
);

test("the order of labels never matters", () => {
  fc.assert(
    fc.property(fc.array(modelLabel, { maxLength: 5 }), (labels) => {
      const request = { ...base, allowed: withFable };
      expect(resolveModel({ ...request, labels: labels.toReversed() })).toEqual(
        resolveModel({ ...request, labels }),
      );
    }),
  );
});

test("nothing runs outside the allow-list", () => {
  const wishes = fc.record({
    labels: fc.array(modelLabel, { maxLength: 3 }),
    flag: fc.constantFrom(undefined, "fable", "haiku", "gpt"),
    runDefault: fc.constantFrom(undefined, "fable", "sonnet"),
    allowed: fc.subarray([...withFable, "gpt"]),
  });
  fc.assert(
    fc.property(wishes, (wish) => {
      const choice = resolveModel({ ...base, ...wish });
      if (choice.kind === "refused") return;
      expect(wish.allowed).toContain(choice.model);
    }),
  );
});

test("a tier that is set to nothing keeps its default", () => {
  expect(resolveModel({ stage: "implement", modelMap: { standard: undefined } })).toMatchObject({
    kind: "chosen",
    model: "sonnet",
  });
});
