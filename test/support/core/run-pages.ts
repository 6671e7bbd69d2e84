import type { JudgedReceipt } from "../../../src/core/receipts/judge-chain.js";
import { type RunPageFacts, runPage } from "../../../src/core/replies/report/run-page.js";
import type { Slot } from "../../../src/core/run/ledger/slot.js";
import { groupSlots, NO_GROUPS, runReport } from "../../../src/core/run/plan/run-report.js";
import { statement } from "./receipts.js";
import { sha } from "./slots.js";

/** The page of a run that took a minute and has ended. */
export function pageOf(slots: readonly Slot[], more: Partial<RunPageFacts> = {}): string {
  const begun = slots.map(({ bead }) => ({ bead, status: "running" as const }));
  const groups = groupSlots(groupSlots(NO_GROUPS, begun, { mode: "rolling", now: 1_000 }), slots, {
    ...{ mode: "rolling", now: 61_000 },
  });
  const ended = { reason: "it ended: drained", outcome: "complete" };
  const report = runReport(slots, groups, { run: "r-1", mode: "rolling", ended, now: 90_000 });
  const rest = { project: "shop", from: 1_000, to: 61_000, receipts: [], version: "1.2.3" };
  return runPage({ report, ...rest, ...more });
}

export const receipt = (given: Partial<JudgedReceipt> = {}): JudgedReceipt => ({
  ...{ commit: sha("f"), statement: statement(), finding: null },
  ...given,
});
