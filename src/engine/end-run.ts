import { runEndText } from "../core/replies/run/progress.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { ControlRequest } from "../core/run/ledger/ledger-state.js";
import type { RunEndReason } from "../core/run/tick/tick-facts.js";
import { consumedEvent } from "./word-event.js";

export interface RunEnd {
  readonly run: string;
  readonly lease: string;
  readonly holder: string;
  readonly reason: RunEndReason;
  readonly code: number;
}

/** The events that end a run and give the lease back. What was asked of this run alone is over with it. */
export function endRun(
  requests: readonly ControlRequest[],
  { run, lease, holder, reason, code }: RunEnd,
): NewEvent[] {
  const over = requests.flatMap(({ id, request: { verb } }): NewEvent[] => {
    if (verb !== "drain" && verb !== "inject") return [];
    return [consumedEvent(id, { code: verb === "drain" ? "drained" : "run-ended" }, run)];
  });
  return [
    ...over,
    { type: "run.ended", run, lease, data: { reason: runEndText(reason), code } },
    { type: "lease.released", data: { holder } },
  ];
}
