import type { ProjectConfig } from "../../config/project-schema.js";
import type { Bead } from "../../model/bead.js";
import { resolveModel } from "../../route/resolve-model.js";
import { takesModel } from "../../route/resolve-runtime.js";
import { resolveTimeout } from "../../route/stage-timeout.js";
import type { Stage } from "../ledger/slot.js";
import type { AgentWishes } from "./choose-agents.js";
import { estimateCostUsd } from "./estimate-cost.js";

export type StagesChoice =
  | { readonly kind: "chosen"; readonly stages: readonly Stage[] }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * What follows a bead's implementing: the stages of the pipeline in order, then the review. It is decided with
 * the dispatch, like the footprint, so that a project file edited meanwhile changes nothing half-way.
 */
export function planStages(
  { labels, description }: Pick<Bead, "labels" | "description">,
  config: Pick<ProjectConfig, "pipeline" | "review" | "model_map" | "allowed_models">,
  runtime: string,
  { model: flag, defaultModel, review = config.review.auto, spent }: AgentWishes = {},
): StagesChoice {
  const wanted = [
    ...config.pipeline.map((stage) => ({ ...stage, task: `stage:${stage.name}` })),
    {
      name: "review",
      task: "review",
      model: undefined,
      timeout_seconds: config.review.timeout_seconds,
      optional: false,
    },
  ];
  const stages: Stage[] = [];
  for (const { name, task, model, timeout_seconds, optional } of wanted) {
    const choice = resolveModel({
      stage: name,
      labels,
      flag,
      onlyNamed: !takesModel(runtime),
      runDefault: model ?? defaultModel,
      modelMap: config.model_map,
      allowed: config.allowed_models,
    });
    // A review that nobody asks for or speaks of keeps no bead from being done.
    const spoken = review || labels.some((label) => label.startsWith("model:review:"));
    if (choice.kind === "refused" && task === "review" && !spoken) continue;
    if (choice.kind === "refused") return { kind: "refused", reason: `${name}: ${choice.reason}` };
    stages.push({
      task,
      model: choice.model,
      modelWhy:
        model !== undefined && choice.rationale === "run default"
          ? `pipeline stage ${name}`
          : choice.rationale,
      timeoutSeconds: resolveTimeout({ labels, project: timeout_seconds }).seconds,
      estimateUsd: estimateCostUsd({ runtime, model: choice.model, description }, spent),
      optional,
    });
  }
  return { kind: "chosen", stages };
}
