import type { ProjectConfig } from "../../config/project-schema.js";
import type { Bead } from "../../model/bead.js";
import { resolveModel } from "../../route/resolve-model.js";
import { resolveRuntime } from "../../route/resolve-runtime.js";
import type { DispatchRefusal } from "../../schedule/dispatch-refusal.js";
import type { Stage } from "../ledger/slot.js";
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
  readonly stages: readonly Stage[];
}

export interface AgentWishes {
  /** `--default-model`. */
  readonly defaultModel?: string | undefined;
  /** `--review`, or the project's own wish. */
  readonly review?: boolean | undefined;
  /** Runtimes that were looked for and cannot be used, and why. */
  readonly unusable?: Readonly<Record<string, string>> | undefined;
}

export type AgentsChoice =
  | { readonly kind: "chosen"; readonly agents: Agents }
  | { readonly kind: "refused"; readonly refusal: DispatchRefusal };

/** Models and runtime of a bead and of everything that follows it, or why there are none. */
export function chooseAgents(
  bead: Pick<Bead, "labels" | "description">,
  config: AgentConfig,
  { defaultModel, review, unusable = {} }: AgentWishes = {},
): AgentsChoice {
  const { labels } = bead;
  const model = resolveModel({
    stage: "implement",
    labels,
    runDefault: defaultModel,
    modelMap: config.model_map,
    allowed: config.allowed_models,
  });
  if (model.kind === "refused") return refused("model_refused", model.reason);
  const after = planStages(bead, config, defaultModel, review);
  if (after.kind === "refused") return refused("model_refused", after.reason);
  const { default_runtime: configured, runtimes } = config;
  const runtimeFor = (each: string) => resolveRuntime({ labels, configured, runtimes, model: each });
  const own = runtimeFor(model.model);
  if (own.kind === "refused") return refused("runtime_refused", own.reason);
  const { runtime } = own;
  const problem = Object.hasOwn(unusable, runtime) ? unusable[runtime] : undefined;
  if (problem !== undefined) return refused("runtime_refused", problem);
  // One runtime for all of them, so each of their models must be one that it knows.
  const stages: Stage[] = [];
  for (const stage of after.stages) {
    const fits = runtimeFor(stage.model);
    if (fits.kind === "chosen") stages.push(stage);
    // A review that nobody asks for keeps no bead from being done.
    else if (stage.task !== "review" || (review ?? config.review.auto))
      return refused("runtime_refused", fits.reason);
  }
  const agents = {
    model: model.model,
    modelWhy: model.rationale,
    runtime,
    runtimeWhy: own.rationale,
    stages,
  };
  return { kind: "chosen", agents };
}

function refused(code: "model_refused" | "runtime_refused", problem: string): AgentsChoice {
  return { kind: "refused", refusal: { code, problem } };
}
