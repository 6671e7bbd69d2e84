import { heldBack, usd } from "../../replies/schedule/schedule.js";
import type { NotSelected } from "../../schedule/build-wave.js";
import { estimateCostUsd } from "./estimate-cost.js";
import type { Dispatch, DispatchPlan } from "./plan-dispatch.js";

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

/** What a bead of the plan may cost. */
export function estimateOf({ model, bead }: Dispatch): number {
  return estimateCostUsd(model, bead.description);
}
