import type { NewEvent } from "../../../src/core/run/ledger/ledger-event.js";
import { dispatching } from "../core/ledgers.js";

const run = "r-1";

/** What an engine writes when it begins, and when it gives a bead to an agent. */
export function runStarted(): NewEvent {
  const data = { mode: "rolling", engine_version: "0.1.0", budget_usd: null, resumed: false } as const;
  return { type: "run.started", run, data };
}

export function slotDispatched(bead: string, title: string): NewEvent {
  return {
    type: "slot.dispatching",
    run,
    bead,
    data: {
      ...dispatching,
      title,
      footprint: { reads: [], writes: [bead] },
      resources: [],
    },
  };
}

export function slotStarted(bead: string): NewEvent {
  const data = { attempt: 1, process: { pid: 7, start: "1", boot: "b" } };
  return { type: "slot.started", run, bead, data };
}
