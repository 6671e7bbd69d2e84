import type { ProjectConfig } from "../config/project-schema.js";
import { type Bead, isClosed } from "../model/bead.js";
import { heldBack, type Refusal } from "../replies/schedule.js";
import { resolveModel } from "./resolve-model.js";

/** The open beads that have no model to be implemented on, and why. */
export function refusedModels(
  beads: readonly Bead[],
  { model_map, allowed_models }: Pick<ProjectConfig, "model_map" | "allowed_models">,
): Map<string, Refusal> {
  const refused = new Map<string, Refusal>();
  for (const bead of beads) {
    if (isClosed(bead)) continue;
    const request = { stage: "implement", modelMap: model_map, allowed: allowed_models };
    const choice = resolveModel({ ...request, labels: bead.labels });
    if (choice.kind === "refused") refused.set(bead.id, heldBack.model(choice.reason));
  }
  return refused;
}
