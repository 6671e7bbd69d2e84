import { describe, expect, test } from "vitest";
import { dispatchRefusalText } from "../../../../src/core/replies/schedule/schedule.js";
import { chooseAgents } from "../../../../src/core/run/plan/choose-agents.js";
import { refusedBeads } from "../../../../src/core/run/plan/route-bead.js";
import { bead } from "../../../support/core/beads.js";
import { projectWith } from "../../../support/core/slots.js";

const config = projectWith({ pipeline: [{ name: "docs", prompt: "Write docs." }] });

test("open beads whose model may not be used are named with the reason", () => {
  const beads = [
    bead({ id: "fine", labels: ["model:haiku"] }),
    bead({ id: "unknown", labels: ["model:gpt"] }),
    bead({ id: "torn", labels: ["model:haiku", "model:opus"] }),
    bead({ id: "closed", labels: ["model:gpt"], status: "closed" }),
  ];
  expect(Object.fromEntries(refusedBeads(beads, config))).toEqual({
    unknown: {
      code: "model_refused",
      problem: "model gpt (label model:gpt) is not in allowed_models: haiku, sonnet, opus",
    },
    torn: { code: "model_refused", problem: "labels model:haiku and model:opus disagree" },
  });
});

test("a bead gets the default runtime, its model, and those of the stages and the review that follow", () => {
  expect(chooseAgents(bead({ labels: ["model:review:haiku"] }), config)).toMatchObject({
    kind: "chosen",
    agents: {
      runtime: "claude",
      runtimeWhy: "project default_runtime",
      model: "sonnet",
      stages: [
        { task: "stage:docs", model: "sonnet" },
        { task: "review", model: "haiku" },
      ],
    },
  });
});

describe("a runtime that cannot be used holds back its own bead", () => {
  const allowed_models = ["gpt-5.5", "opus", "sonnet"];
  const open = projectWith({ allowed_models });
  const ownPath = projectWith({ allowed_models, runtimes: { codex: { command: ["/opt/codex"] } } });
  test.each([
    { name: "unknown", labels: ["runtime:nosuch"], says: "there is no runtime nosuch" },
    {
      name: "a model that it does not know",
      labels: ["runtime:codex"],
      says: "model sonnet is none for codex",
    },
    {
      name: "a reviewer's model that it does not know",
      labels: ["runtime:codex", "model:implement:gpt-5.5"],
      says: "model opus is none for codex",
    },
  ])("$name", ({ labels, says }) => {
    for (const settings of [open, ownPath]) {
      const choice = chooseAgents(bead({ labels }), settings, { review: true });
      expect(choice).toMatchObject({ kind: "refused", refusal: { code: "runtime_refused" } });
      expect(choice.kind === "refused" && dispatchRefusalText(choice.refusal)).toContain(says);
    }
  });

  test("not for the sake of a review that nobody asked for", () => {
    const labels = ["runtime:codex", "model:implement:gpt-5.5"];
    expect(chooseAgents(bead({ labels }), open)).toMatchObject({ kind: "chosen", agents: { stages: [] } });
  });

  test("one that this machine does not have", () => {
    const labels = ["runtime:codex", "model:gpt-5.5"];
    expect(chooseAgents(bead({ labels }), open)).toMatchObject({
      kind: "chosen",
      agents: { runtime: "codex", runtimeWhy: "label runtime:codex" },
    });
    expect(chooseAgents(bead({ labels }), open, { unusable: { codex: "codex was not found" } })).toEqual({
      kind: "refused",
      refusal: { code: "runtime_refused", problem: "codex was not found" },
    });
  });
});
