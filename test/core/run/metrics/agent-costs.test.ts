import { expect, test } from "vitest";
import { type LedgerEvent, readEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import { AgentCosts } from "../../../../src/core/run/metrics/agent-costs.js";
import { dispatching } from "../../../support/core/ledgers.js";

/** `[type, run, bead, data]`, each an event of its own. */
function costsOf(...events: readonly (readonly [LedgerEvent["type"], string, string, object])[]): AgentCosts {
  const costs = new AgentCosts();
  for (const [index, [type, run, bead, data]] of events.entries()) {
    const id = `${index}`.padStart(26, "0");
    const about = { id, at: "2026-01-31T12:00:00.000Z", actor: "ana", run, ...(bead !== "" && { bead }) };
    const reading = readEvent(JSON.stringify({ ...about, type, data }));
    expect(reading.kind).toBe("event");
    costs.hear(reading);
  }
  return costs;
}

const begins = { mode: "wave", engine_version: "1", budget_usd: null, resumed: false };
const ends = (cost_usd: number, given: object = {}, cost_known = true) => ({
  ...{ attempt: 1, outcome: "completed", detail: "", session: null, commits: 0, head: null },
  usage: { cost_usd, cost_known },
  ...given,
});
const stage = {
  ...{ task: "review", model: "haiku", model_why: "", timeout_seconds: 60, estimate_usd: 1, optional: false },
};
const review = { ...dispatching, attempt: 2, task: "review", asides: [stage] };
const { runtime, model } = dispatching;

test("each agent is told with its run, its bead and its own model, a reviewer's included", () => {
  const costs = costsOf(
    ["run.started", "r-1", "", begins],
    ["slot.dispatching", "r-1", "a", dispatching],
    ["slot.ended", "r-1", "a", ends(1.5)],
    ["slot.dispatching", "r-1", "a", review],
    ["slot.ended", "r-1", "a", ends(0.25, { attempt: 2 }, false)],
    ["run.ended", "r-1", "", { reason: "drained", code: 4 }],
    ["run.started", "r-1", "", { ...begins, resumed: true }],
    ["run.started", "r-2", "", begins],
  );
  expect(costs.ended).toEqual([
    { run: "r-1", bead: "a", model: `${runtime}/${model}`, costUsd: 1.5, costKnown: true },
    { run: "r-1", bead: "a", model: `${runtime}/haiku`, costUsd: 0.25, costKnown: false },
  ]);
  expect(costs.runs).toBe(2);
});

test("an end that comes again, or is not the current attempt's, counts for nothing", () => {
  const costs = costsOf(
    ["run.started", "r-1", "", begins],
    ["slot.ended", "r-1", "a", ends(8)],
    ["slot.dispatching", "r-1", "a", dispatching],
    ["slot.ended", "r-1", "a", ends(8, { attempt: 7 })],
    ["slot.ended", "r-1", "a", ends(1)],
    ["slot.ended", "r-1", "a", ends(8)],
  );
  expect(costs.ended.map(({ costUsd }) => costUsd)).toEqual([1]);
});
