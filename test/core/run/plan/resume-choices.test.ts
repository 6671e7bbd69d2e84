import { expect, test } from "vitest";
import { resumedLines } from "../../../../src/core/replies/run/progress.js";
import { type KeptChoices, resumeChoices } from "../../../../src/core/run/plan/resume-choices.js";

const before: KeptChoices = { only: "a-1", max: 2, budget: 5, auto_merge: true };

test.each<{ name: string; given: KeptChoices; kept: KeptChoices; lapsed: KeptChoices }>([
  {
    name: "a resumed run keeps its bounds, and not what it was allowed",
    given: {},
    kept: { only: "a-1", max: 2, budget: 5 },
    lapsed: { auto_merge: true },
  },
  {
    name: "what is given again counts instead",
    given: { max: 4, auto_merge: true },
    kept: { only: "a-1", budget: 5 },
    lapsed: {},
  },
  {
    name: "a switch that is off was not given",
    given: { auto_merge: false, only: undefined },
    kept: { only: "a-1", max: 2, budget: 5 },
    lapsed: { auto_merge: true },
  },
])("$name", ({ given, kept, lapsed }) => {
  expect(resumeChoices(given, before)).toEqual({ kept, lapsed });
});

test("it says so in the words of the flags, and nothing where there is nothing to say", () => {
  expect(resumedLines(resumeChoices({}, { ...before, default_model: "haiku" }))).toEqual([
    "it goes on as it was started, with --only a-1 --max 2 --budget 5 --default-model haiku; what you give again counts instead",
    "it was started with --auto-merge, which counts only when you give it again",
  ]);
  expect(resumedLines(resumeChoices({}, {}))).toEqual([]);
});
