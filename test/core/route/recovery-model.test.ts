import { expect, test } from "vitest";
import { type RecoveryRequest, recoveryModel } from "../../../src/core/route/recovery-model.js";
import { RUNTIMES } from "../../../src/core/runtimes/runtimes.js";

const base: RecoveryRequest = { runtime: "claude", model: "sonnet" };

test.each<{ name: string; given: Partial<RecoveryRequest>; model: string | null }>([
  { name: "is opus for claude", given: {}, model: "opus" },
  { name: "is opus instead of haiku, too", given: { model: "haiku" }, model: "opus" },
  { name: "is opus instead of fable, too", given: { model: "fable" }, model: "opus" },
  { name: "is none for a bead that runs on it", given: { model: "opus" }, model: null },
  { name: "is none that the project does not allow", given: { allowed: ["haiku", "sonnet"] }, model: null },
  {
    name: "is its own for codex",
    given: { runtime: "codex", model: "gpt-5.5", allowed: ["gpt-5.5", "gpt-5.6-sol"] },
    model: "gpt-5.6-sol",
  },
  {
    name: "is none for a runtime that names none",
    given: { runtime: "opencode", allowed: ["opus", "openai/gpt-5.5"] },
    model: null,
  },
  { name: "is none for a program of the project's own", given: { runtime: "command" }, model: null },
])("the stronger model $name", ({ given, model }) => {
  expect(recoveryModel({ ...base, ...given })?.model ?? null).toBe(model);
});

test("says what it stands in for", () => {
  expect(recoveryModel(base)?.rationale).toBe("recovery (instead of sonnet)");
});

test("is fable for no runtime", () => {
  expect(RUNTIMES.filter(({ models }) => models.recovery === "fable")).toEqual([]);
});
