import type { ProjectConfig } from "../../config/project-schema.js";
import { REFUSALS } from "../../land/refusal.js";
import { recoveryModel } from "../../route/recovery-model.js";
import { retryRule } from "../../route/retry-rule.js";
import { pausesOf, type RuntimePause } from "../ledger/runtime-pause.js";
import type { Slot } from "../ledger/slot.js";
import { estimateOn } from "../plan/estimate-cost.js";
import { MOST_BOUNCES } from "./next-step.js";

/** Deaths that tell of the bead: neither of the engine or the machine, nor of an agent that found nothing to do. */
const BEADS_OWN: ReadonlySet<string | null> = new Set([
  "failed",
  "incomplete",
  "refused",
  "budget",
  "max-turns",
  "timed-out",
]);
/** How often each report sends a bead back. A conflict is what others did, so it is not among them. */
const ROUNDS: Readonly<Record<string, number>> = {
  gate: REFUSALS["gate-failed"].mend.most,
  style: REFUSALS["commit-style"].mend.most,
  review: MOST_BOUNCES,
};

type Model = Pick<Slot, "model" | "modelWhy" | "estimateUsd" | "insteadOf">;

export interface ModelFacts {
  readonly config: Pick<ProjectConfig, "allowed_models">;
  readonly pauses: readonly RuntimePause[];
}

/**
 * What the next attempt of a queued slot runs on: what was decided at its dispatch, and for the last attempt after a
 * fault of the bead itself the stronger model that its runtime names.
 */
export function nextModel(slot: Slot, { config, pauses }: ModelFacts): Model {
  const { model, modelWhy, estimateUsd } = slot.insteadOf ?? slot;
  const usual = { model, modelWhy, estimateUsd, insteadOf: null };
  if (!isLastTry(slot)) return usual;
  const recovery = recoveryModel({ runtime: slot.runtime, model, allowed: config.allowed_models });
  if (recovery === null || isUnknown(recovery.model, slot.runtime, pauses)) return usual;
  return {
    model: recovery.model,
    modelWhy: recovery.rationale,
    estimateUsd: estimateOn(recovery.model, usual),
    insteadOf: { model, modelWhy, estimateUsd },
  };
}

/** One more failure of the same kind, and a person has to look. */
function isLastTry(slot: Slot): boolean {
  const { task, report, setbacks, deaths, outcome, commits, insteadOf, riskTier } = slot;
  if (task !== "implement") return false;
  if (report !== null && report.run === slot.dispatchedBy && report.attempt === slot.attempt) {
    const had = setbacks[report.kind === "review" ? "bounce" : report.kind];
    return had > 0 && had === ROUNDS[report.kind];
  }
  // A recovery that was cut short, or failed in a round that goes on, is not over.
  if (insteadOf !== null) return true;
  const uncommitted = outcome === "completed" && commits > 0;
  return deaths + 1 === retryRule(riskTier).mostDeaths && (BEADS_OWN.has(outcome) || uncommitted);
}

/** The account does not have it, so the bead had better go on with its own. */
function isUnknown(model: string, runtime: string, pauses: readonly RuntimePause[]): boolean {
  return pausesOf(pauses, { runtime, model }).some((pause) => pause.kind === "unknown-model");
}
