import { expect, test } from "vitest";
import { refusedModels } from "../../src/core/route/refused-models.js";
import { bead } from "../support/beads.js";

const config = {
  model_map: { frontier: "opus", standard: "sonnet", light: "haiku" },
  allowed_models: ["haiku", "sonnet", "opus"],
};

test("open beads whose model may not be used are named with the reason", () => {
  const beads = [
    bead({ id: "fine", labels: ["model:haiku"] }),
    bead({ id: "unknown", labels: ["model:gpt"] }),
    bead({ id: "torn", labels: ["model:haiku", "model:opus"] }),
    bead({ id: "closed", labels: ["model:gpt"], status: "closed" }),
  ];
  expect(Object.fromEntries(refusedModels(beads, config))).toEqual({
    unknown: {
      code: "model_refused",
      reason: "model gpt (label model:gpt) is not in allowed_models: haiku, sonnet, opus",
    },
    torn: { code: "model_refused", reason: "labels model:haiku and model:opus disagree" },
  });
});
