import type { ProjectConfig } from "../../config/project-schema.js";
import type { Bead } from "../../model/bead.js";
import { resolveModel } from "../../route/resolve-model.js";
import { modelMisfit, resolveRuntime, takesModel } from "../../route/resolve-runtime.js";
import type { DispatchRefusal } from "../../schedule/dispatch-refusal.js";
import type { LedgerState } from "../ledger/ledger-state.js";
import type { Stage } from "../ledger/slot.js";
import { estimateCostUsd } from "./estimate-cost.js";
import { planStages } from "./plan-stages.js";

type AgentConfig = Pick<
  ProjectConfig,
  "model_map" | "allowed_models" | "default_runtime" | "runtimes" | "pipeline" | "review"
>;

/** Who works on a bead, and who comes after. */
export interface Agents {
  readonly model: string;
  readonly modelWhy: string;
  readonly runtime: string;
  readonly runtimeWhy: string;
  /** What the first attempt is expected to cost. */
  readonly estimateUsd: number;
  readonly stages: readonly Stage[];
}

export interface AgentWishes {
  /** `--model`: before any label. */
  readonly model?: string | undefined;
  /** `--default-model`. */
  readonly defaultModel?: string | undefined;
  /** `--review`, or the project's own wish. */
  readonly review?: boolean | undefined;
  /** Runtimes that were looked for and cannot be used, and why. */
  readonly unusable?: Readonly<Record<string, string>> | undefined;
  /** What agents have cost here. */
  readonly spent?: LedgerState["spent"] | undefined;
}

export type AgentsChoice =
  | { readonly kind: "chosen"; readonly agents: Agents }
  | { readonly kind: "refused"; readonly refusal: DispatchRefusal };

/** Models and runtime of a bead and of everything that follows it, or why there are none. */
export function chooseAgents(
  bead: Pick<Bead, "labels" | "description">,
  config: AgentConfig,
  wishes: AgentWishes = {},
): AgentsChoice {
  const { labels, description } = bead;
  const { default_runtime: configured, runtimes } = config;
  const own = resolveRuntime({ labels, configured, runtimes });
  if (own.kind === "refused") return refused("runtime_refused", own.reason);
  const { runtime } = own;
  const model = resolveModel({
    stage: "implement",
    labels,
    flag: wishes.model,
    runDefault: wishes.defaultModel,
    modelMap: config.model_map,
    allowed: config.allowed_models,
    onlyNamed: !takesModel(runtime),
  });
  if (model.kind === "refused") return refused("model_refused", model.reason);
  const after = planStages(bead, config, runtime, wishes);
  if (after.kind === "refused") return refused("model_refused", after.reason);
  const { review, unusable = {} } = wishes;
  const problem =
    modelMisfit(own, model.model) ?? (Object.hasOwn(unusable, runtime) ? unusable[runtime] : undefined);
  if (problem !== undefined) return refused("runtime_refused", problem);
  // One runtime for all of them, so each of their models must be one that it knows.
  const stages: Stage[] = [];
  for (const stage of after.stages) {
    const misfit = modelMisfit(own, stage.model);
    if (misfit === null) stages.push(stage);
    // A review that nobody asks for keeps no bead from being done.
    else if (stage.task !== "review" || (review ?? config.review.auto))
      return refused("runtime_refused", misfit);
  }
  const agents: Agents = {
    model: model.model,
    modelWhy: model.rationale,
    runtime,
    runtimeWhy: own.rationale,
    estimateUsd: estimateCostUsd({ runtime, model: model.model, description }, wishes.spent),
    stages,
  };
  return { kind: "chosen", agents };
}

function refused(code: "model_refused" | "runtime_refused", problem: string): AgentsChoice {
  return { kind: "refused", refusal: { code, problem } };
}
