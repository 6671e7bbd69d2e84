import type { NewEvent } from "../../../src/core/run/ledger/ledger-event.js";

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
      attempt: 1,
      title,
      footprint: { reads: [], writes: [bead] },
      resources: [],
      runtime: "command",
      model: "sonnet",
      model_why: "by default",
      merge_policy: "manual",
      risk_tier: 2,
      timeout_seconds: 60,
      estimate_usd: 0,
      start: "fresh",
      session: null,
    },
  };
}

export function slotStarted(bead: string): NewEvent {
  const data = { attempt: 1, process: { pid: 7, start: "1", boot: "b" } };
  return { type: "slot.started", run, bead, data };
}
