import { NO_MODEL } from "../runtimes/no-model.js";

/** Words for how much a stage asks of a model; `model_map` says which model each one is. */
export type ModelTier = "frontier" | "standard" | "light";

export const DEFAULT_MODEL_MAP: Readonly<Record<ModelTier, string>> = {
  frontier: "opus",
  standard: "sonnet",
  light: "haiku",
};

export const DEFAULT_ALLOWED_MODELS: readonly string[] = ["haiku", "sonnet", "opus"];

const STAGE_TIERS: Readonly<Record<string, ModelTier>> = {
  plan: "frontier",
  design: "frontier",
  score: "frontier",
  review: "frontier",
  implement: "standard",
  docs: "standard",
  test: "standard",
  explore: "light",
  debug: "light",
};

/** Costs so much more than the others that nothing but a person's own word may choose it. */
export const ONLY_WHEN_ASKED_FOR = "fable";

export interface ModelRequest {
  /** What the agent is to do: implement, review, or the name of a pipeline stage. */
  readonly stage: string;
  readonly labels?: readonly string[];
  /** `--model`. */
  readonly flag?: string | undefined;
  /** `--default-model`. */
  readonly runDefault?: string | undefined;
  readonly modelMap?: Readonly<{ [T in ModelTier]?: string | undefined }> | undefined;
  readonly allowed?: readonly string[] | undefined;
  /** The runtime takes a model only where somebody names one; the defaults of stages are names of other runtimes. */
  readonly onlyNamed?: boolean;
}

export type ModelChoice =
  | { readonly kind: "chosen"; readonly model: string; readonly rationale: string }
  | { readonly kind: "refused"; readonly reason: string };

interface Wish {
  readonly model: string;
  readonly rationale: string;
  readonly explicit: boolean;
}

/** Which model a stage of a bead runs on, and why; or why no model may be chosen. */
export function resolveModel(request: ModelRequest): ModelChoice {
  const wish = strongestWish(request);
  if ("reason" in wish) return { kind: "refused", reason: wish.reason };
  if (wish.model === NO_MODEL && !wish.explicit)
    return { kind: "chosen", model: NO_MODEL, rationale: wish.rationale };
  const allowed = request.allowed ?? DEFAULT_ALLOWED_MODELS;
  if (!allowed.includes(wish.model)) {
    return refused(`model ${wish.model} (${wish.rationale}) is not in allowed_models: ${allowed.join(", ")}`);
  }
  if (wish.model === ONLY_WHEN_ASKED_FOR && !wish.explicit) {
    return refused(`model ${wish.model} (${wish.rationale}) is used only when a label asks for it`);
  }
  return { kind: "chosen", model: wish.model, rationale: wish.rationale };
}

/** First match wins; this list is the precedence. */
function strongestWish(request: ModelRequest): Wish | { readonly reason: string } {
  if (request.flag) return { model: request.flag, rationale: "explicit --model", explicit: true };
  const labels = request.labels ?? [];
  for (const prefix of [`model:${request.stage}:`, "model:"]) {
    const matches = [...new Set(labels.filter((label) => isModelLabel(label, prefix)))].sort();
    const [first, second] = matches;
    if (second !== undefined) return { reason: `labels ${matches.join(" and ")} disagree` };
    if (first !== undefined) {
      return { model: first.slice(prefix.length), rationale: `label ${first}`, explicit: true };
    }
  }
  if (request.runDefault) return { model: request.runDefault, rationale: "run default", explicit: false };
  const tier = Object.hasOwn(STAGE_TIERS, request.stage) ? STAGE_TIERS[request.stage] : undefined;
  const asked = tier ?? "standard";
  const model = request.modelMap?.[asked] ?? DEFAULT_MODEL_MAP[asked];
  if (request.onlyNamed && model === DEFAULT_MODEL_MAP[asked])
    return { model: NO_MODEL, rationale: "no model is named for this runtime", explicit: false };
  return { model, rationale: `stage default (${request.stage})`, explicit: false };
}

/** `model:implement:haiku` belongs to one stage, so it is no `model:` label for another. */
function isModelLabel(label: string, prefix: string): boolean {
  return (
    label.startsWith(prefix) && label.length > prefix.length && !label.slice(prefix.length).includes(":")
  );
}

function refused(reason: string): ModelChoice {
  return { kind: "refused", reason };
}
