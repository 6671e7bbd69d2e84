import { whySaid, whyWords } from "../replies/control/why.js";
import type { Hold, LedgerState } from "../run/ledger/ledger-state.js";
import type { Slot } from "../run/ledger/slot.js";
import { silentSince } from "./silent-since.js";

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
  if (slot === undefined) return [...unmet, whyWords.notTaken(), ...engine(state, now, false)];
  return [...unmet, ...ofSlot(state, slot, now)];
}

function ofSlot(state: LedgerState, slot: Slot, now: number): Unmet[] {
  switch (slot.status) {
    case "queued":
      return [
        slot.notBefore > now ? whyWords.waitsUntil(slot) : whyWords.waitsForPlace(slot),
        ...engine(state, now, true),
      ];
    case "dispatching":
    case "running":
    case "ended":
      return [whyWords.atWork(slot), ...engine(state, now, true)];
    case "passed":
      return [whyWords.between(slot), ...engine(state, now, true)];
    case "landing": {
      const place = state.landings.findIndex(({ bead }) => bead === slot.bead);
      return [whyWords.inQueue(place), ...engine(state, now, true)];
    }
    case "refused":
      return [whyWords.refused(slot), ...engine(state, now, true)];
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
function engine(state: LedgerState, now: number, taken: boolean): Unmet[] {
  const { run, requests } = state;
  if (run === null || run.ended !== null) return [whyWords.noRun(run?.ended ?? null, taken)];
  const silent = silentSince(state, now);
  if (silent !== null) return [whyWords.silent(silent)];
  const drain = requests.find(({ request }) => request.verb === "drain");
  return drain === undefined ? [] : [whyWords.draining(drain.actor, taken)];
}

interface WhyFacts {
  readonly state: LedgerState;
  readonly now: number;
  /** The bead of the thread, of which there is no doubt that it exists; null when it has none. */
  readonly own: string | null;
}

/** The answer to `why`: each condition with who can meet it, and the same for tools. */
export function whyText(bead: string, { state, now, own }: WhyFacts): { said: string; more: string } {
  const unmet = unmetConditions(state, bead, now);
  return {
    said: said(bead, unmet.length, { slot: state.slots[bead], own }),
    more: whyWords.list(bead, unmet),
  };
}

function said(
  bead: string,
  unmet: number,
  { slot, own }: { readonly slot: Slot | undefined; readonly own: string | null },
): string {
  if (slot === undefined && bead !== own) return whySaid.unknown(bead);
  const landed = slot?.landed ?? null;
  return landed !== null && unmet === 0 ? whySaid.landed(bead, landed) : whySaid.kept(bead, unmet);
}
