import { heldBack } from "../core/replies/schedule.js";
import { estimateCostUsd } from "../core/run/estimate-cost.js";
import type { Dispatch, DispatchPlan } from "../core/run/plan-dispatch.js";
import type { NotSelected } from "../core/schedule/build-wave.js";

/**
 * The plan as far as the budget goes. Agents at work count with their estimates, and the first bead that does not
 * fit keeps those after it waiting.
 */
export function fitBudget<P extends DispatchPlan>(plan: P, budgetUsd: number): P {
  let planned = 0;
  const misfit = plan.dispatch.findIndex((item) => {
    if (planned + estimateOf(item) > budgetUsd) return true;
    planned += estimateOf(item);
    return false;
  });
  const [first, ...behind] = misfit === -1 ? [] : plan.dispatch.slice(misfit);
  if (first === undefined) return plan;
  const waiting: NotSelected[] = [
    { bead: first.bead, ...heldBack.beyondBudget(usd(estimateOf(first)), usd(budgetUsd - planned)) },
    ...behind.map(({ bead }) => ({ bead, ...heldBack.behindBudget(first.bead.id) })),
  ];
  return { ...plan, dispatch: plan.dispatch.slice(0, misfit), deferred: [...waiting, ...plan.deferred] };
}

/** What each bead may cost, and what that leaves. */
export function estimateTexts(dispatch: readonly Dispatch[], budgetUsd: number): string[] {
  let left = budgetUsd;
  return dispatch.map((item) => {
    left -= estimateOf(item);
    return `${usd(estimateOf(item))}, leaves ${usd(left)} of the budget`;
  });
}

function estimateOf({ model, bead }: Dispatch): number {
  return estimateCostUsd(model, bead.description);
}

function usd(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
