import type { Slot } from "../ledger/slot.js";

/** Commits after `base`, up to `head`. */
export interface WorkRange {
  readonly base: string;
  readonly head: string;
}

type Facts = Pick<Slot, "landed" | "landedFrom" | "candidate" | "head" | "began">;

/** The commits that a slot has come to: as they landed, as they were accepted, or as its agent left them; null without any. */
export function workRange(slot: Facts): WorkRange | null {
  const { base, head } = named(slot);
  // Git gets these as arguments, and anybody who may write the ledger may have put anything there.
  return isSha(base) && isSha(head) && base !== head ? { base, head } : null;
}

function named({ landed, landedFrom, candidate, head, began }: Facts) {
  if (landed !== null) return { base: landedFrom, head: landed };
  return { base: candidate !== null && candidate.head === head ? candidate.base : began, head };
}

function isSha(text: string | null): text is string {
  return text !== null && /^[0-9a-f]{40,64}$/.test(text);
}
