import { naturalOrder } from "../../../lib/natural-order.js";
import { type Bead, isClosed } from "../../model/bead.js";
import { type Hold, isUnderWay, type LedgerState } from "../ledger/ledger-state.js";
import type { Slot } from "../ledger/slot.js";

/** How a bead stands, in one word and what belongs to it. */
export type BeadStanding =
  | { readonly kind: "closed" }
  /** A run has it or left it. */
  | {
      readonly kind: "slot";
      readonly slot: Slot;
      readonly hold: Hold | undefined;
      readonly underWay: boolean;
    }
  | { readonly kind: "held"; readonly hold: Hold }
  | { readonly kind: "ready" }
  /** `missing` are those of the blockers that the work source does not have. */
  | { readonly kind: "waits"; readonly blockers: readonly string[]; readonly missing: readonly string[] }
  /** Whatever the tracker calls it: somebody has it, or put it aside. */
  | { readonly kind: "status"; readonly status: string };

export interface ListedBead {
  readonly bead: Bead;
  readonly standing: BeadStanding;
}

/** Every bead and how it stands, as people count. What the tracker has closed is over, whatever runs left of it. */
export function listBeads(
  beads: readonly Bead[],
  ready: readonly Bead[],
  state: Pick<LedgerState, "run" | "slots" | "holds">,
): ListedBead[] {
  const closed = new Set<string>(beads.filter(isClosed).map(({ id }) => id));
  const known = new Set<string>(beads.map(({ id }) => id));
  const frontier = new Set<string>(ready.map(({ id }) => id));
  return beads
    .map((bead) => ({ bead, standing: standingOf(bead, { known, closed, frontier, state }) }))
    .sort((a, b) => naturalOrder(a.bead.id, b.bead.id));
}

function standingOf(
  bead: Bead,
  {
    known,
    closed,
    frontier,
    state,
  }: {
    readonly known: ReadonlySet<string>;
    readonly closed: ReadonlySet<string>;
    readonly frontier: ReadonlySet<string>;
    readonly state: Pick<LedgerState, "run" | "slots" | "holds">;
  },
): BeadStanding {
  if (isClosed(bead)) return { kind: "closed" };
  const slot = state.slots[bead.id];
  const hold = state.holds[bead.id];
  // A bead that was opened again after it landed may be begun anew.
  if (slot !== undefined && !(slot.status === "merged" && slot.settled))
    return { kind: "slot", slot, hold, underWay: isUnderWay(state) };
  if (hold !== undefined) return { kind: "held", hold };
  if (frontier.has(bead.id)) return { kind: "ready" };
  const blockers = bead.blockers.filter((id) => !closed.has(id));
  if (bead.status === "open" && blockers.length > 0) {
    return { kind: "waits", blockers, missing: blockers.filter((id) => !known.has(id)) };
  }
  return { kind: "status", status: bead.status };
}
