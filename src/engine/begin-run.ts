import { waitsForGithub } from "../core/run/ledger/fold/fold-slot.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { ControlRequest, LedgerState } from "../core/run/ledger/ledger-state.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { isOpen } from "../core/run/ledger/slot-groups.js";
import type { EngineSettings } from "./engine-parts.js";
import { consumedEvent } from "./word-event.js";

/** Slots that some run left unfinished. */
export function openSlots(state: LedgerState): Slot[] {
  return Object.values(state.slots).filter(isOpen);
}

/**
 * The events that begin a run. A resumed one goes on under its old id and takes over what even older runs left;
 * a new one starts clean, unless it is to adopt that. Requests that nobody acted on and that belong to a run that is over are cleared.
 */
export function beginRun(
  state: LedgerState,
  { options, parent, only, engineVersion, resume, adopt, runId }: EngineSettings,
): NewEvent[] {
  const run = resume && state.run !== null ? state.run.id : runId;
  const started: NewEvent = {
    type: "run.started",
    run,
    data: {
      mode: options.mode,
      engine_version: engineVersion,
      budget_usd: options.budgetUsd ?? null,
      resumed: resume,
      review: (options.review ?? false) || (resume && state.run?.review === true),
      choices: {
        only,
        parent,
        max: options.max,
        model: options.model,
        default_model: options.defaultModel,
        auto_merge: options.autoMerge || undefined,
        direct: options.direct || undefined,
        allow_red_base: options.allowRedBase || undefined,
      },
    },
  };
  const taken = Object.values(state.slots).filter(
    (slot) => (isOpen(slot) && slot.run !== run) || waitsForGithub(slot),
  );
  const adopted = (resume || adopt ? taken : []).map(
    ({ bead, run: from }): NewEvent => ({ type: "slot.adopted", run, bead, data: { from } }),
  );
  const cleared = staleRequests(state, resume).map(({ id }) => consumedEvent(id, { code: "stale" }, run));
  return [started, ...adopted, ...cleared];
}

/** A run that goes on still takes what was to be injected into it; a drain or a stop was meant for the engine before. */
export function staleRequests({ requests }: LedgerState, resume: boolean): ControlRequest[] {
  return requests.filter(({ request: { verb } }) => {
    if (verb === "inject") return !resume;
    return verb === "drain" || verb === "stop";
  });
}
