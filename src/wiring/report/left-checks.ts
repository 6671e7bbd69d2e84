import { runOfCheck } from "../../core/control/run-buttons.js";
import { lostCheck } from "../../core/replies/report/check-report.js";
import { openChecks } from "../../core/run/ledger/open-checks.js";
import type { WaveChecks } from "../../ports/check-runs.js";
import type { Ledger, LedgerTail } from "../../ports/ledger.js";

/** More than that, a lost runner is long forgotten. */
const LOOKED_AT = 1_000;
/** Each is a question to GitHub, and where no check run may be made there is always one that has no answer. */
const MOST_HEADS = 10;

interface LeftParts {
  readonly checks: Pick<WaveChecks, "close" | "open">;
  readonly ledger: Ledger & LedgerTail;
}

/** Ends the check runs that lost runners left in progress. The lease is ours, so nobody else writes them any more. */
export async function closeLeftChecks({ checks, ledger }: LeftParts, run: string): Promise<void> {
  const recent = await ledger.recent(LOOKED_AT);
  for (const { run: of, head, checks: known } of openChecks(recent).slice(-MOST_HEADS)) {
    if (of === run) continue;
    const found = await checks.open(head);
    const own = found.filter(({ externalId }) => runOfCheck(externalId) === of).map(({ id }) => id);
    for (const check of new Set([...known, ...own])) {
      await checks.close(check, lostCheck);
      await ledger.observe([{ type: "run.reported", run: of, data: { check, head, open: false } }]);
    }
  }
}
