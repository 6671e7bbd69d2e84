import type { ProjectConfig } from "../../config/project-schema.js";
import { type AdmissionDenial, DENIAL_REACH } from "../../govern/admission-denial.js";
import type { LedgerState } from "../ledger/ledger-state.js";
import { hasAgent } from "../ledger/slot-groups.js";
import { type SeenMachine, type UnseenMachine, wouldWait } from "./admit-plan.js";

/** A place that a run waits for; `bead` is null where every agent of the default runtime would wait. */
export interface WaitedFor {
  readonly bead: string | null;
  readonly why: AdmissionDenial;
}

/** Why agents of the run that is under way wait for the machine; empty when they do not, or none is wanted. */
export function waitedFor(
  machine: SeenMachine | UnseenMachine,
  config: Pick<ProjectConfig, "project_id" | "resources" | "default_runtime" | "max_concurrent_slots">,
  { run, slots, holds }: Pick<LedgerState, "run" | "slots" | "holds">,
  now: number,
): WaitedFor[] {
  if (run === null || run.ended !== null) return [];
  const all = Object.values(slots).filter((slot) => slot.run === run.id);
  if (all.filter(hasAgent).length >= config.max_concurrent_slots) return [];
  const anybody = { bead: "", attempt: 1, runtime: config.default_runtime, resources: [] };
  const general = wouldWait(machine, config, anybody);
  if (general !== null && DENIAL_REACH[general.code] !== "bead") return [{ bead: null, why: general }];
  return all
    .filter(({ status, bead, notBefore }) => status === "queued" && !holds[bead] && notBefore <= now)
    .flatMap((slot) => {
      const why = wouldWait(machine, config, { ...slot, attempt: slot.attempt + 1 });
      return why === null ? [] : [{ bead: slot.bead, why }];
    });
}
