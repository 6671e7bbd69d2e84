import { plainText } from "../../../lib/plain-text.js";
import type { LandResult } from "../../land/refusal.js";
import type { Hold } from "../../run/ledger/ledger-state.js";
import type { Slot } from "../../run/ledger/slot.js";
import { isOpen } from "../../run/ledger/slot-groups.js";
import { nextAfterRefusal } from "../land/refusal-words.js";

/** What brings a slot on. */
export interface NextOfSlot {
  /** Slots of the same kind are brought on by the same thing. */
  readonly kind:
    | "at-work"
    | "resume"
    | "held"
    | "retry"
    | "retry-or-land"
    | "land"
    | "review"
    | "landing"
    | "pull"
    | "over"
    | LandResult;
  readonly text: string;
}

/**
 * A hold keeps a slot from its next attempt and from landing, and nothing else. What no run has in hand waits for one
 * that does, where it is known that none is under way.
 */
export function nextOfSlot(slot: Slot, hold: Hold | undefined, underWay = true): NextOfSlot {
  const { bead } = slot;
  if (!underWay && isOpen(slot) && hold === undefined)
    return { kind: "resume", text: "koryph run --resume goes on with it" };
  switch (slot.status) {
    case "dispatching":
    case "running":
    case "ended":
    case "passed":
    case "refused":
      return { kind: "at-work", text: "at work" };
    case "merged":
      return { kind: "over", text: "landed" };
    case "queued":
      if (hold)
        return { kind: "held", text: `${held(bead, hold)}, then koryph run --resume goes on with it` };
      return { kind: "resume", text: "waits for its next attempt; koryph run --resume goes on" };
    case "landing":
      if (hold) return { kind: "held", text: `${held(bead, hold)} lets it land` };
      return { kind: "landing", text: "finished, about to land" };
    case "pr-opened":
      if (hold) return { kind: "held", text: `${held(bead, hold)} lets it land` };
      return { kind: "pull", text: `waits for review: ${plainText(slot.pull?.url ?? "its pull request")}` };
    case "blocked":
    case "conflict":
    case "merge-pending":
      if (hold) return { kind: "held", text: `${held(bead, hold)} lets it go on` };
      return nextOfWaiting(slot);
  }
}

function held(bead: string, { actor, reason }: Hold): string {
  return `held by ${plainText(actor)}${reason === "" ? "" : `: ${plainText(reason)}`}: koryph unhold ${bead}`;
}

function nextOfWaiting(slot: Slot): NextOfSlot {
  const { bead, status, commits, review, refusal } = slot;
  if (refusal !== null) return { kind: refusal.result, text: nextAfterRefusal(bead, refusal) };
  if (status === "merge-pending")
    return review?.verdict === "blocking"
      ? {
          kind: "review",
          text: `the review blocks it: koryph tail ${bead} shows its report, koryph land ${bead} lands it all the same`,
        }
      : { kind: "land", text: `koryph land ${bead} lands it, koryph diff ${bead} shows it` };
  const again = `koryph retry ${bead} lets it try again`;
  // Where there is no commit, there is nothing to land.
  return commits === 0
    ? { kind: "retry", text: again }
    : { kind: "retry-or-land", text: `${again}, koryph land ${bead} lands what it has` };
}
