import type { NotSelected } from "../../schedule/build-wave.js";
import type { DispatchPlan } from "./plan-dispatch.js";

/**
 * The plan as far as the budget goes. Agents at work count with their estimates, and the first bead that does not
 * fit keeps those after it waiting.
 */
export function fitBudget<P extends DispatchPlan>(plan: P, budgetUsd: number): P {
  let planned = 0;
  const misfit = plan.dispatch.findIndex((item) => {
    if (planned + item.estimateUsd > budgetUsd) return true;
    planned += item.estimateUsd;
    return false;
  });
  const [first, ...behind] = misfit === -1 ? [] : plan.dispatch.slice(misfit);
  if (first === undefined) return plan;
  const { bead } = first;
  const waiting: NotSelected[] = [
    {
      bead,
      refusal: { code: "beyond_budget", estimateUsd: first.estimateUsd, leftUsd: budgetUsd - planned },
    },
    ...behind.map(
      (item): NotSelected => ({
        bead: item.bead,
        refusal: { code: "behind_budget", by: bead.id },
      }),
    ),
  ];
  return { ...plan, dispatch: plan.dispatch.slice(0, misfit), deferred: [...waiting, ...plan.deferred] };
}
