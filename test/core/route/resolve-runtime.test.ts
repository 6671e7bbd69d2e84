import { expect, test } from "vitest";
import { modelMisfit, type RuntimeRequest, resolveRuntime } from "../../../src/core/route/resolve-runtime.js";

const base: RuntimeRequest = { labels: [], configured: "claude", runtimes: {} };

test.each<{ name: string; given: Partial<RuntimeRequest>; model?: string; expected: string }>([
  { name: "without a label the default counts", given: {}, expected: "claude" },
  {
    name: "a label beats the default",
    given: { labels: ["area:api", "runtime:codex"] },
    model: "gpt-5.5",
    expected: "codex",
  },
  {
    name: "the same label twice is one",
    given: {
      labels: ["runtime:mine", "runtime:mine"],
      runtimes: { mine: { enabled: true, command: ["x"] } },
    },
    expected: "mine",
  },
  {
    name: "two labels disagree",
    given: { labels: ["runtime:codex", "runtime:claude"] },
    expected: "labels runtime:claude and runtime:codex disagree",
  },
  {
    name: "an unknown runtime is refused",
    given: { labels: ["runtime:nope"] },
    expected: "there is no runtime nope (label runtime:nope)",
  },
  {
    name: "an inherited property is no runtime",
    given: { labels: ["runtime:constructor"] },
    expected: "there is no runtime constructor (label runtime:constructor)",
  },
  {
    name: "a label without a name is refused",
    given: { labels: ["runtime:"] },
    expected: "there is no runtime without a name (label runtime:)",
  },
  {
    name: "one that is switched off is refused",
    given: { labels: ["runtime:codex"], runtimes: { codex: { enabled: false } } },
    model: "gpt-5.5",
    expected: "runtime codex is switched off (label runtime:codex)",
  },
  {
    name: "command needs a program",
    given: { labels: ["runtime:command"] },
    expected: "runtime command has no program to run (label runtime:command)",
  },
  {
    name: "opencode takes provider/model",
    given: { labels: ["runtime:opencode"] },
    expected:
      "model sonnet is none for opencode, which takes provider/model, such as openai/gpt-5.5 (label runtime:opencode)",
  },
  {
    name: "opencode with such a model runs",
    given: { labels: ["runtime:opencode"] },
    model: "openrouter/qwen/qwen3-coder",
    expected: "opencode",
  },
  {
    name: "codex knows no model by a name of Claude's",
    given: { configured: "codex" },
    expected:
      "model sonnet is none for codex: a model: label or model_map can name one, such as gpt-5.5 (project default_runtime)",
  },
  {
    name: "nor does codex that is started by a path of the project's own",
    given: { configured: "codex", runtimes: { codex: { enabled: true, command: ["/opt/codex"] } } },
    expected:
      "model sonnet is none for codex: a model: label or model_map can name one, such as gpt-5.5 (project default_runtime)",
  },
  {
    name: "a runtime of the project's own may know any name",
    given: { configured: "mine", runtimes: { mine: { enabled: true, command: ["./agent"] } } },
    expected: "mine",
  },
])("$name", ({ given, model = "sonnet", expected }) => {
  const choice = resolveRuntime({ ...base, ...given });
  const said = choice.kind === "chosen" ? (modelMisfit(choice, model) ?? choice.runtime) : choice.reason;
  expect(said).toBe(expected);
});
