import { plainText } from "../../../lib/plain-text.js";
import type { LandResult } from "../../land/refusal.js";
import type { Hold } from "../../run/ledger/ledger-state.js";
import type { Slot } from "../../run/ledger/slot.js";
import { isOpen } from "../../run/ledger/slot-groups.js";
import { nextAfterRefusal } from "../land/refusal-words.js";
import { bare, typed } from "../typed.js";

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
  /** The same with its commands between backticks, for markdown. */
  readonly sentence: string;
}

type Told = Pick<NextOfSlot, "kind" | "sentence">;

/**
 * A hold keeps a slot from its next attempt and from landing, and nothing else. What no run has in hand waits for one
 * that does, where it is known that none is under way.
 */
export function nextOfSlot(slot: Slot, hold: Hold | undefined, underWay = true): NextOfSlot {
  const told = tellNext(slot, hold, underWay);
  return { ...told, text: bare(told.sentence) };
}

function tellNext(slot: Slot, hold: Hold | undefined, underWay: boolean): Told {
  const { bead } = slot;
  if (!underWay && isOpen(slot) && hold === undefined)
    return { kind: "resume", sentence: `${typed("koryph run --resume")} goes on with it` };
  switch (slot.status) {
    case "dispatching":
    case "running":
    case "ended":
    case "passed":
    case "refused":
      return { kind: "at-work", sentence: "at work" };
    case "merged":
      return { kind: "over", sentence: "landed" };
    case "queued":
      if (hold)
        return {
          kind: "held",
          sentence: `${held(bead, hold)}, then ${typed("koryph run --resume")} goes on with it`,
        };
      return {
        kind: "resume",
        sentence: `waits for its next attempt; ${typed("koryph run --resume")} goes on`,
      };
    case "landing":
      if (hold) return { kind: "held", sentence: `${held(bead, hold)} lets it land` };
      return { kind: "landing", sentence: "finished, about to land" };
    case "pr-opened":
      if (hold) return { kind: "held", sentence: `${held(bead, hold)} lets it land` };
      return {
        kind: "pull",
        sentence: `waits for review: ${slot.pull === null ? "its pull request" : typed(plainText(slot.pull.url))}`,
      };
    case "blocked":
    case "conflict":
    case "merge-pending":
      if (hold) return { kind: "held", sentence: `${held(bead, hold)} lets it go on` };
      return nextOfWaiting(slot);
  }
}

function held(bead: string, { actor, reason }: Hold): string {
  return `held by ${plainText(actor)}${reason === "" ? "" : `: ${plainText(reason)}`}: ${typed(`koryph unhold ${bead}`)}`;
}

function nextOfWaiting(slot: Slot): Told {
  const { bead, status, commits, review, refusal } = slot;
  if (refusal !== null) return { kind: refusal.result, sentence: nextAfterRefusal(bead, refusal) };
  if (status === "merge-pending")
    return review?.verdict === "blocking"
      ? {
          kind: "review",
          sentence: `the review blocks it: ${typed(`koryph tail ${bead}`)} shows its report, ${typed(`koryph land ${bead}`)} lands it all the same`,
        }
      : {
          kind: "land",
          sentence: `${typed(`koryph land ${bead}`)} lands it, ${typed(`koryph diff ${bead}`)} shows it`,
        };
  const again = `${typed(`koryph retry ${bead}`)} lets it try again`;
  // Where there is no commit, there is nothing to land.
  return commits === 0
    ? { kind: "retry", sentence: again }
    : { kind: "retry-or-land", sentence: `${again}, ${typed(`koryph land ${bead}`)} lands what it has` };
}
