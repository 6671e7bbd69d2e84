import { plainText } from "../../lib/plain-text.js";
import type { LedgerState } from "../run/ledger-state.js";

/** How a run ended, in numbers. */
export interface RunSummary {
  readonly run: string;
  readonly reason: string;
  readonly code: number;
  readonly landed: number;
  /** Waiting for a person to land them. */
  readonly finished: number;
  readonly blocked: number;
  readonly queued: number;
  /** Those that are finished, with the heads of their branches, and those that are blocked; by id. */
  readonly branches: readonly { readonly bead: string; readonly head: string }[];
  readonly blockedBeads: readonly string[];
  /** The bead that the budget could not pay; absent when the run ended for another reason. */
  readonly unaffordable?: Unaffordable | undefined;
  readonly costUsd: number;
  readonly costKnown: boolean;
}

export interface Unaffordable {
  readonly bead: string;
  readonly estimateUsd: number;
  readonly leftUsd: number;
}

export function summarise(
  state: LedgerState,
  run: string,
  { reason, code, unaffordable }: { reason: string; code: number; unaffordable?: Unaffordable | undefined },
): RunSummary {
  const slots = Object.values(state.slots).filter((slot) => slot.run === run);
  const those = (...wanted: readonly string[]) =>
    slots.filter(({ status }) => wanted.includes(status)).sort((a, b) => (a.bead < b.bead ? -1 : 1));
  const [finished, blocked] = [those("merge-pending"), those("blocked", "conflict")];
  return {
    run,
    reason,
    code,
    unaffordable,
    landed: those("merged").length,
    finished: finished.length,
    blocked: blocked.length,
    queued: those("queued", "passed", "landing", "refused").length,
    branches: finished.flatMap(({ bead, head }) => (head === null ? [] : [{ bead, head }])),
    blockedBeads: blocked.map(({ bead }) => bead),
    costUsd: slots.reduce((sum, slot) => sum + slot.costUsd, 0),
    costKnown: slots.every((slot) => slot.costKnown),
  };
}

/** One line: what came of the run and what it cost. */
export function summaryLine(summary: RunSummary): string {
  const { reason, landed, finished, blocked, queued, costUsd, costKnown } = summary;
  const parts = [`${finished} finished`, `${blocked} blocked`];
  if (landed > 0) parts.unshift(`${landed} landed`);
  if (queued > 0) parts.push(`${queued} queued for koryph run --resume`);
  // Nothing was counted and nobody said anything: agents without a bill.
  const cost = costUsd === 0 && !costKnown ? "" : `; cost ${costKnown ? "" : "about "}$${costUsd.toFixed(2)}`;
  return `run ended${reason === "" ? "" : ` (${plainText(reason)})`}: ${parts.join(", ")}${cost}`;
}

/** A promise to programs, as docs/json.md describes it. */
export function outcomeJson(summary: RunSummary) {
  return {
    run_id: summary.run,
    reason: summary.reason,
    code: summary.code,
    merged: summary.landed,
    finished: summary.finished,
    blocked: summary.blocked,
    queued: summary.queued,
    cost_usd: Number(summary.costUsd.toFixed(6)),
    cost_known: summary.costKnown,
  };
}

/** Said before a run whose flag cannot do what was probably meant. */
export function autoMergeAlone(): string {
  return "merge_policy is manual, so --auto-merge lands only beads whose epic says merge:auto; the others wait for koryph land";
}
