import { expect, test } from "vitest";
import type { AgentEnd } from "../../../src/core/model/agent-end.js";
import type { EngineParts } from "../../../src/engine/engine-parts.js";
import { SlotObservations } from "../../../src/engine/slot-observations.js";
import type { ProcessStatus } from "../../../src/ports/agent-processes.js";
import { slot } from "../../support/core/slots.js";

const FAILED: AgentEnd = {
  ...{ kind: "failed", detail: "after the start", session: null, text: "", structured: null, denials: [] },
  ...{ costUsd: 0, costKnown: true, retryAt: null },
};

/** Asks for a slot whose launch fails before or after its process is looked at; the look finds no process. */
async function observed(failsFirst: boolean) {
  let answer: (status: ProcessStatus) => void = () => {};
  const asked = new Promise<ProcessStatus>((resolve) => {
    answer = resolve;
  });
  const observations = new SlotObservations({
    processes: { status: () => asked },
    folders: { folder: () => "/slot", readPrepared: async () => null },
    worktrees: { state: async () => "absent" },
  } as unknown as EngineParts);
  const dispatching = slot({ status: "dispatching" });
  const fail = () => {
    observations.known(dispatching).failed = { ...FAILED };
  };
  if (failsFirst) fail();
  const look = observations.look(dispatching);
  if (!failsFirst) fail();
  answer({ kind: "none" });
  return (await look).process;
}

test("an attempt whose start failed before the look has ended", async () => {
  expect(await observed(true)).toMatchObject({ kind: "ended", end: { detail: "after the start" } });
});

test("one whose start failed during the look may run all the same, so it has not ended yet", async () => {
  expect(await observed(false)).toEqual({ kind: "none" });
});
