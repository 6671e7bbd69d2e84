import { answerWhy } from "../../control/answer-question.js";
import type { LedgerState } from "../../run/ledger/ledger-state.js";
import type { Slot, SlotStatus } from "../../run/ledger/slot.js";
import { beadStatus } from "./bead-status.js";

/** What a tracker with one place for it shows; all else passes too quickly to be worth a write. */
const STANDINGS = {
  running: "at-work",
  "merge-pending": "waits",
  "pr-opened": "waits",
  conflict: "waits",
  blocked: "blocked",
} as const satisfies Partial<Record<SlotStatus, string>>;

/** How an issue shows its bead; null for what is not shown there. */
export function issueStanding(
  issue: number,
  { bead, status }: Pick<Slot, "bead" | "status">,
  { state, now }: { readonly state: LedgerState; readonly now: number },
) {
  const kind = (STANDINGS as Partial<Record<SlotStatus, (typeof STANDINGS)[keyof typeof STANDINGS]>>)[status];
  return kind === undefined
    ? null
    : { kind, text: beadStatus(issue, answerWhy(bead, { state, now, own: bead })) };
}
