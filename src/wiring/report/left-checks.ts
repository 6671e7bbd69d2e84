import { lostCheck } from "../../core/replies/report/check-report.js";
import { openChecks } from "../../core/run/ledger/open-checks.js";
import type { WaveChecks } from "../../ports/check-runs.js";
import type { Ledger, LedgerTail } from "../../ports/ledger.js";

/** More than that, a lost runner is long forgotten. */
const LOOKED_AT = 1_000;

interface LeftParts {
  readonly checks: Pick<WaveChecks, "close">;
  readonly ledger: Ledger & LedgerTail;
}

/** Ends the check runs that lost runners left in progress. The lease is ours, so nobody else writes them any more. */
export async function closeLeftChecks({ checks, ledger }: LeftParts, run: string): Promise<void> {
  const recent = await ledger.recent(LOOKED_AT);
  for (const { run: of, check, head } of openChecks(recent)) {
    if (of === run) continue;
    await checks.close(check, lostCheck);
    await ledger.observe([{ type: "run.reported", run: of, data: { check, head, open: false } }]);
  }
}
