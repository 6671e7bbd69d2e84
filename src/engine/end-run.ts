import { injectNotes } from "../core/replies/control/steering.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { ControlRequest } from "../core/run/ledger/ledger-state.js";

export interface RunEnd {
  readonly run: string;
  readonly lease: string;
  readonly holder: string;
  readonly reason: string;
  readonly code: number;
}

/** The events that end a run and give the lease back. What was asked of this run alone is over with it. */
export function endRun(
  requests: readonly ControlRequest[],
  { run, lease, holder, reason, code }: RunEnd,
): NewEvent[] {
  const over = requests.flatMap(({ id, request: { verb } }): NewEvent[] => {
    if (verb !== "drain" && verb !== "inject") return [];
    const note = verb === "drain" ? "drained" : injectNotes.runEnded();
    return [{ type: "control.consumed", run, data: { request: id, note } }];
  });
  return [
    ...over,
    { type: "run.ended", run, lease, data: { reason, code } },
    { type: "lease.released", data: { holder } },
  ];
}
