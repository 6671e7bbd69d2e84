import type { Slot } from "../ledger/slot.js";
import type { Dispatch } from "./plan-dispatch.js";

const BASE_USD: Readonly<Record<string, number>> = { haiku: 0.4, sonnet: 3, opus: 9, fable: 15 };
/** A model nobody has priced is counted like the dearest one. */
const UNKNOWN_USD = 15;
const MARGIN = 1.5;

/** What an attempt that was estimated for one model may cost on another. */
export function estimateOn(
  model: string,
  { model: before, estimateUsd }: Pick<Slot, "model" | "estimateUsd">,
): number {
  return (estimateUsd * baseOf(model)) / baseOf(before);
}

/** What one attempt at a bead is expected to cost, on the safe side. The text's length stands for its size. */
export function estimateCostUsd(model: string, description: string): number {
  const size = description.length < 400 ? 0.5 : description.length < 2000 ? 1 : 2;
  return baseOf(model) * size * MARGIN;
}

function baseOf(model: string): number {
  return Object.hasOwn(BASE_USD, model) ? (BASE_USD[model] ?? UNKNOWN_USD) : UNKNOWN_USD;
}

/** What the first attempt at a bead of a plan is expected to cost. */
export function estimateOf({ model, bead }: Pick<Dispatch, "model" | "bead">): number {
  return estimateCostUsd(model, bead.description);
}

/** What the attempt of a slot that comes next, or is under way, is expected to cost. */
export function attemptEstimate({ asides, task, estimateUsd }: Slot): number {
  return asides.find((stage) => stage.task === task)?.estimateUsd ?? estimateUsd;
}
