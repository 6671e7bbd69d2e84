import { gcReason } from "../../replies/run/gc.js";
import type { Slot } from "../ledger/slot.js";
import { isOpen } from "../ledger/slot-groups.js";

/** What may be left over, by kind. Refs are judged per bead: the ones on the remote, and those in `repo.git`. */
export type GcKind = "clone" | "home" | "run" | "wip" | "branch" | "leftover";

export interface GcFacts {
  readonly now: number;
  /** Runs younger than this are history somebody may still want to read. */
  readonly days: number;
  readonly slots: Readonly<Record<string, Slot>>;
  readonly newestRun: string | null;
  /** Status of every bead in the work source. */
  readonly beads: ReadonlyMap<string, string>;
  /** `work`: what it holds is in no commit, or cannot be looked through. */
  readonly clones: readonly { readonly bead: string; readonly work: boolean }[];
  readonly homes: readonly string[];
  readonly runs: readonly { readonly run: string; readonly changedAt: number }[];
  /** Beads with saved work on the remote. */
  readonly wip: readonly string[];
  /** Beads with a branch or kept earlier tips in `repo.git`. */
  readonly branches: readonly string[];
  /** Files and folders that a process which was cut short left behind, by path. */
  readonly leftovers: readonly { readonly path: string; readonly changedAt: number }[];
}

export interface GcItem {
  readonly kind: GcKind;
  /** A bead, a run or a path. */
  readonly name: string;
  readonly why: string;
}

export interface GcPlan {
  readonly remove: readonly GcItem[];
  readonly keep: readonly GcItem[];
}

const DAY_MS = 86_400_000;

type Judged = { readonly remove: boolean; readonly why: string };
const remove = (why: string): Judged => ({ remove: true, why });
const keep = (why: string): Judged => ({ remove: false, why });

/** What may go and what has to stay, each with the reason. Whatever is in doubt stays. */
export function planGc(facts: GcFacts): GcPlan {
  const judged: (GcItem & Judged)[] = [
    ...facts.clones.map((clone) => ({
      kind: "clone" as const,
      name: clone.bead,
      ...judgeClone(clone, facts),
    })),
    ...facts.homes.map((bead) => ({ kind: "home" as const, name: bead, ...judgeHome(bead, facts) })),
    ...facts.runs.map(({ run, changedAt }) => ({
      kind: "run" as const,
      name: run,
      ...judgeRun(run, changedAt, facts),
    })),
    ...facts.wip.map((bead) => ({ kind: "wip" as const, name: bead, ...judgeRefs(bead, facts) })),
    ...facts.branches.map((bead) => ({ kind: "branch" as const, name: bead, ...judgeRefs(bead, facts) })),
    ...facts.leftovers.map(({ path, changedAt }) => ({
      kind: "leftover" as const,
      name: path,
      ...judgeLeftover(changedAt, facts),
    })),
  ];
  const items = (wanted: boolean) =>
    judged
      .filter((item) => item.remove === wanted)
      .map(({ kind, name, why }): GcItem => ({ kind, name, why }));
  return { remove: items(true), keep: items(false) };
}

/** The commits of a clone are in `repo.git`, so a clean one can always be built again. */
function judgeClone({ bead, work }: GcFacts["clones"][number], { slots }: GcFacts): Judged {
  const slot = slots[bead];
  if (slot && isOpen(slot)) return keep(gcReason.openSlot(slot.status));
  if (work) return keep(gcReason.holdsWork());
  return remove(slot ? gcReason.slotOver(slot.status) : gcReason.noSlot());
}

/** An agent's home goes with its clone; without one, by the same rule. */
function judgeHome(bead: string, facts: GcFacts): Judged {
  const clone = facts.clones.find((found) => found.bead === bead);
  return judgeClone(clone ?? { bead, work: false }, facts);
}

function judgeRun(run: string, changedAt: number, { now, days, slots, newestRun }: GcFacts): Judged {
  if (run === newestRun) return keep(gcReason.newestRun());
  const user = Object.values(slots).find(
    (slot) => isOpen(slot) && (slot.run === run || slot.dispatchedBy === run),
  );
  if (user) return keep(gcReason.runInUse(user.bead, user.status));
  const age = Math.floor((now - changedAt) / DAY_MS);
  return age >= days ? remove(gcReason.old(age)) : keep(gcReason.young(age, days));
}

/**
 * Saved work goes only when its bead is over. A bead the work source does not know may be in another machine's
 * work file, so it counts as over only when the ledger has no slot for it either, and a source that lists
 * nothing at all proves nothing.
 */
function judgeRefs(bead: string, { slots, beads, clones }: GcFacts): Judged {
  const slot = slots[bead];
  if (slot && (isOpen(slot) || slot.status === "merge-pending")) return keep(gcReason.openSlot(slot.status));
  if (clones.some((clone) => clone.bead === bead && clone.work)) return keep(gcReason.cloneHoldsWork());
  const status = beads.get(bead);
  if (status === "closed") return remove(gcReason.closed());
  if (status !== undefined) return keep(gcReason.beadOpen(status));
  if (slot) return keep(gcReason.unknownWithSlot(slot.status));
  return beads.size === 0 ? keep(gcReason.emptySource()) : remove(gcReason.unknown());
}

function judgeLeftover(changedAt: number, { now }: GcFacts): Judged {
  return now - changedAt >= DAY_MS ? remove(gcReason.leftover()) : keep(gcReason.fresh());
}
