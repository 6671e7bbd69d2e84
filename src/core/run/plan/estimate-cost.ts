import { NO_MODEL } from "../../runtimes/no-model.js";
import { type Spending, spendingKey } from "../ledger/fold/fold-spending.js";
import type { Slot } from "../ledger/slot.js";

const BASE_USD: Readonly<Record<string, number>> = { haiku: 0.4, sonnet: 3, opus: 9, fable: 15 };
/** Of a model without a price here, until agents have shown what it costs: twice as much as sonnet. */
const UNKNOWN_USD = 6;
const MARGIN = 1.5;
/** Attempts after which experience counts for more than the table. */
const ENOUGH = 3;

export interface Attempt {
  readonly runtime: string;
  readonly model: string;
  /** Its length stands for the size of the task. */
  readonly description: string;
}

/** What an attempt that was estimated for one model may cost on another. */
export function estimateOn(
  model: string,
  { model: before, estimateUsd }: Pick<Slot, "model" | "estimateUsd">,
): number {
  return (estimateUsd * baseOf(model)) / baseOf(before);
}

/** What one attempt at a bead is expected to cost, on the safe side. */
export function estimateCostUsd(
  { runtime, model, description }: Attempt,
  spent: Readonly<Record<string, Spending>> = {},
): number {
  const key = spendingKey(runtime, model);
  const known = Object.hasOwn(spent, key) ? spent[key] : undefined;
  if (known !== undefined && known.attempts >= ENOUGH) return known.usualUsd * MARGIN;
  // A program that names no model and no price has no bill.
  if (model === NO_MODEL) return 0;
  return baseOf(model) * taskSize(description) * MARGIN;
}

/** By how long its description is. */
export function taskSize(description: string): number {
  return description.length < 400 ? 0.5 : description.length < 2000 ? 1 : 2;
}

function baseOf(model: string): number {
  return Object.hasOwn(BASE_USD, model) ? (BASE_USD[model] ?? UNKNOWN_USD) : UNKNOWN_USD;
}

/** What the attempt of a slot that comes next, or is under way, is expected to cost. */
export function attemptEstimate({ asides, task, estimateUsd }: Slot): number {
  return asides.find((stage) => stage.task === task)?.estimateUsd ?? estimateUsd;
}
