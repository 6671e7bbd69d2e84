import type { KnownPull, LedgerState } from "./ledger-state.js";

/** A state that can be folded on without changing the one it came from. */
export function copyState(state: LedgerState): LedgerState {
  const copy = shareSlots(state);
  for (const bead of Object.keys(copy.slots)) ownSlot(copy, bead);
  return copy;
}

/**
 * The same, but for its slots, which are those of the state it came from: there are hundreds, and an event moves one.
 * `ownSlot` comes before each event.
 */
export function shareSlots(state: LedgerState): LedgerState {
  return {
    ...state,
    lease: state.lease && { ...state.lease },
    run: state.run && { ...state.run },
    chain: { ...state.chain },
    // Without a prototype, a bead named like a member of every object is a bead like any other.
    slots: Object.assign(Object.create(null), state.slots),
    requests: [...state.requests],
    steered: [...state.steered],
    pauses: [...state.pauses],
    spent: Object.assign(Object.create(null), state.spent),
    runCosts: Object.assign(Object.create(null), state.runCosts),
    holds: Object.assign(Object.create(null), state.holds),
    pulls: copyPulls(state.pulls),
    jobs: state.jobs.map((job) => ({ ...job, claimed: [...job.claimed] })),
    landings: state.landings.map((landing) => ({ ...landing })),
  };
}

/** Makes the bead's slot, if it has one, this state's own. */
export function ownSlot({ slots }: LedgerState, bead: string): void {
  const slot = slots[bead];
  if (slot !== undefined) slots[bead] = { ...slot };
}

function copyPulls(pulls: LedgerState["pulls"]): LedgerState["pulls"] {
  const copies: Record<string, KnownPull> = Object.create(null);
  for (const [number, pull] of Object.entries(pulls))
    copies[number] = { ...pull, approvals: [...pull.approvals] };
  return copies;
}
