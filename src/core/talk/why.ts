import { saidBy, whyWords } from "../replies/talk.js";
import type { Hold, LedgerState } from "../run/ledger-state.js";
import type { Slot } from "../run/slot.js";

/** Something that keeps a bead from the default branch. */
export interface Unmet {
  /** Stable, for tools. */
  readonly code: string;
  readonly found: string;
  /** Who can put it right, and how; empty when it passes by itself. */
  readonly who: string;
  readonly next: string;
  /** Where it was said; null when nobody said it on GitHub. */
  readonly url: string | null;
}

/** Everything that keeps the bead from being landed, the first to be put right first. Empty when it has landed. */
export function unmetConditions(state: LedgerState, bead: string, now: number): Unmet[] {
  const unmet: Unmet[] = [];
  if (state.readOnly !== null) unmet.push(whyWords.readOnly(state.readOnly));
  const slot = state.slots[bead];
  if (slot?.status === "merged") return unmet;
  const hold: Hold | undefined = state.holds[bead];
  if (hold !== undefined) unmet.push(whyWords.held(bead, hold));
  if (slot === undefined) return [...unmet, whyWords.notTaken(), ...engine(state)];
  return [...unmet, ...ofSlot(state, slot, now)];
}

function ofSlot(state: LedgerState, slot: Slot, now: number): Unmet[] {
  switch (slot.status) {
    case "queued":
      return [
        slot.notBefore > now ? whyWords.waitsUntil(slot) : whyWords.waitsForPlace(slot),
        ...engine(state),
      ];
    case "dispatching":
    case "running":
    case "ended":
      return [whyWords.atWork(slot), ...engine(state)];
    case "passed":
      return [whyWords.between(slot), ...engine(state)];
    case "landing": {
      const place = state.landings.findIndex(({ bead }) => bead === slot.bead);
      return [whyWords.inQueue(place), ...engine(state)];
    }
    case "refused":
      return [whyWords.refused(slot), ...engine(state)];
    case "merge-pending":
      return [whyWords.waitsForLanding(slot)];
    case "blocked":
    case "conflict":
      return [whyWords.blocked(slot)];
    case "merged":
      return [];
  }
}

/** What keeps every bead of the project waiting. */
function engine({ run, requests }: LedgerState): Unmet[] {
  if (run === null || run.ended !== null) return [whyWords.noRun(run?.ended ?? null)];
  const drain = requests.find(({ request }) => request.verb === "drain");
  return drain === undefined ? [] : [whyWords.draining(drain.actor)];
}

/** The answer to `why`: each condition with who can meet it, and the same for tools. */
export function whyText(state: LedgerState, bead: string, now: number): { said: string; more: string } {
  const unmet = unmetConditions(state, bead, now);
  const landed = state.slots[bead]?.landed ?? null;
  return {
    said: saidBy.why(bead, unmet.length, landed),
    more: whyWords.list(bead, unmet),
  };
}
