import { builtInRuntime } from "../runtimes/runtimes.js";
import { DEFAULT_ALLOWED_MODELS, ONLY_WHEN_ASKED_FOR } from "./resolve-model.js";

export interface RecoveryRequest {
  readonly runtime: string;
  /** What the bead's other attempts ran on. */
  readonly model: string;
  readonly allowed?: readonly string[] | undefined;
}

export interface RecoveryChoice {
  readonly model: string;
  readonly rationale: string;
}

/**
 * The model for the last attempt at a bead that failed the others, as its runtime names it. Null where the bead keeps
 * its model: the runtime names none, the project does not allow it, or the bead runs on it already.
 */
export function recoveryModel({ runtime, model, allowed }: RecoveryRequest): RecoveryChoice | null {
  const recovery = builtInRuntime(runtime)?.models.recovery;
  if (recovery === undefined || recovery === model || recovery === ONLY_WHEN_ASKED_FOR) return null;
  if (!(allowed ?? DEFAULT_ALLOWED_MODELS).includes(recovery)) return null;
  return { model: recovery, rationale: `recovery (instead of ${model})` };
}
