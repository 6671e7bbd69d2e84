import { expect, test } from "vitest";
import { reasonCode, runOutcome } from "../../../../src/core/run/tick/run-outcome.js";
import type { RunEndReason } from "../../../../src/core/run/tick/tick-facts.js";

test.each<{ reason: RunEndReason; code: number; outcome: string; as: string }>([
  { reason: "drained", code: 4, outcome: "complete", as: "drained" },
  { reason: "once", code: 0, outcome: "continue", as: "once" },
  { reason: "all-deferred", code: 0, outcome: "continue", as: "all_deferred" },
  { reason: "interrupted", code: 0, outcome: "continue", as: "interrupted" },
  { reason: "operator-drain", code: 4, outcome: "stop", as: "operator_drain" },
  { reason: "budget-cap", code: 0, outcome: "stop", as: "budget_cap" },
  { reason: "quota-cap", code: 0, outcome: "stop", as: "quota_cap" },
  { reason: "runtime-fault", code: 1, outcome: "failure", as: "runtime_fault" },
  { reason: "gate-red-on-base", code: 1, outcome: "failure", as: "gate_red_on_base" },
  { reason: "failed", code: 1, outcome: "failure", as: "failed" },
])("a run that ended as $reason tells programs $outcome, $as", ({ reason, code, outcome, as }) => {
  expect([runOutcome(reason, code), reasonCode(reason)]).toEqual([outcome, as]);
});

test("a run that --strict makes a failure is one, whatever it ended for", () => {
  expect(runOutcome("drained", 1)).toBe("failure");
});
