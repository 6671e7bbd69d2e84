import type { KnownPull, LedgerState } from "./ledger-state.js";
import type { Slot } from "./slot.js";

/** A state that can be folded on without changing the one it came from. */
export function copyState(state: LedgerState): LedgerState {
  // Without a prototype, a bead named like a member of every object is a bead like any other.
  const slots: Record<string, Slot> = Object.create(null);
  for (const [bead, slot] of Object.entries(state.slots)) slots[bead] = { ...slot };
  return {
    ...state,
    lease: state.lease && { ...state.lease },
    run: state.run && { ...state.run },
    chain: { ...state.chain },
    slots,
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

function copyPulls(pulls: LedgerState["pulls"]): LedgerState["pulls"] {
  const copies: Record<string, KnownPull> = Object.create(null);
  for (const [number, pull] of Object.entries(pulls))
    copies[number] = { ...pull, approvals: [...pull.approvals] };
  return copies;
}
