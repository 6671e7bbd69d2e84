import type { NotSelected } from "../../schedule/build-wave.js";
import type { DispatchRefusal } from "../../schedule/dispatch-refusal.js";
import { pausesOf, type RuntimePause } from "../ledger/runtime-pause.js";
import type { Dispatch, DispatchPlan } from "./plan-dispatch.js";

/**
 * The plan of a run that is still to be started. A new run tries every runtime that is paused with one agent, the first
 * that it starts there; the others wait for what that one finds.
 */
export function probeFirst<P extends DispatchPlan>(plan: P, pauses: readonly RuntimePause[]): P {
  const probed = new Set<RuntimePause>();
  const dispatch: Dispatch[] = [];
  const waiting: NotSelected[] = [];
  for (const item of plan.dispatch) {
    const met = pausesOf(pauses, item);
    const tried = met.find((pause) => probed.has(pause));
    if (tried === undefined) dispatch.push(item);
    else waiting.push({ bead: item.bead, refusal: pausedRefusal({ ...tried, until: 0 }, true) });
    for (const pause of met) probed.add(pause);
  }
  return waiting.length === 0 ? plan : { ...plan, dispatch, deferred: [...waiting, ...plan.deferred] };
}

/** Why a bead is not given to an agent on such a runtime; `probing` where another agent tries whether it is over. */
export function pausedRefusal(pause: RuntimePause, probing: boolean): DispatchRefusal {
  const { runtime, model, kind, until, detail } = pause;
  return { code: "runtime_paused", runtime, model, kind, until, detail, probing, passes: until !== null };
}
