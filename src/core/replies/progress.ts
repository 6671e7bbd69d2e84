import { plainText } from "../../lib/plain-text.js";
import type { LedgerState } from "../run/ledger-state.js";

/** How a run ended, in numbers. */
export interface RunSummary {
  readonly run: string;
  readonly reason: string;
  readonly code: number;
  readonly finished: number;
  readonly blocked: number;
  readonly queued: number;
  readonly costUsd: number;
  readonly costKnown: boolean;
}

export function summarise(
  state: LedgerState,
  run: string,
  end: { reason: string; code: number },
): RunSummary {
  const slots = Object.values(state.slots).filter((slot) => slot.run === run);
  const count = (status: string) => slots.filter((slot) => slot.status === status).length;
  return {
    run,
    ...end,
    finished: count("merge-pending"),
    blocked: count("blocked"),
    queued: count("queued"),
    costUsd: slots.reduce((sum, slot) => sum + slot.costUsd, 0),
    costKnown: slots.every((slot) => slot.costKnown),
  };
}

/** One line: what came of the run and what it cost. */
export function summaryLine({ reason, finished, blocked, queued, costUsd, costKnown }: RunSummary): string {
  const parts = [`${finished} finished`, `${blocked} blocked`];
  if (queued > 0) parts.push(`${queued} queued for koryph run --resume`);
  const cost = `cost ${costKnown ? "" : "about "}$${costUsd.toFixed(2)}`;
  return `run ended${reason === "" ? "" : ` (${plainText(reason)})`}: ${parts.join(", ")}; ${cost}`;
}

/** The status line of a slot that somebody looks at. */
export function outcomeJson(summary: RunSummary) {
  return {
    run_id: summary.run,
    reason: summary.reason,
    code: summary.code,
    finished: summary.finished,
    blocked: summary.blocked,
    queued: summary.queued,
    cost_usd: Number(summary.costUsd.toFixed(6)),
    cost_known: summary.costKnown,
  };
}
