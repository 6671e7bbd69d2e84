import type { Slot, SlotStatus } from "../ledger/slot.js";
import { isOpen, waitsForPerson } from "../ledger/slot-groups.js";

/** What may be left over, by kind. Refs are judged per bead: the ones on the remote, and those in `repo.git`. */
export type GcKind = "clone" | "home" | "run" | "wip" | "branch" | "leftover";

export interface GcFacts {
  readonly now: number;
  /** Runs younger than this are history somebody may still want to read. */
  readonly days: number;
  /** Beads that were asked for by name, and then nothing else is looked at; empty for all there is. */
  readonly named: readonly string[];
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
  readonly why: GcReason;
}

/** Why something may go, or has to stay. */
export type GcReason =
  | {
      readonly code:
        | "no-slot"
        | "holds-work"
        | "clone-holds-work"
        | "newest-run"
        | "bead-closed"
        | "bead-unknown"
        | "empty-source"
        | "leftover"
        | "fresh"
        /** It was to go, and held work by the time it was looked at again. */
        | "stayed"
        /** It landed less than a day ago. */
        | "landed-lately";
    }
  | { readonly code: "waits-for-person"; readonly status: SlotStatus }
  | { readonly code: "slot-open" | "slot-over" | "slot-without-bead"; readonly status: SlotStatus }
  | { readonly code: "run-in-use"; readonly bead: string; readonly status: SlotStatus }
  | { readonly code: "old"; readonly days: number }
  | { readonly code: "young"; readonly days: number; readonly least: number }
  | { readonly code: "bead-open"; readonly status: string };

export interface GcPlan {
  readonly remove: readonly GcItem[];
  readonly keep: readonly GcItem[];
}

/** `--days`, where it is not given. */
export const GC_DAYS = 30;

const DAY_MS = 86_400_000;

type Judged = { readonly remove: boolean; readonly why: GcReason };
const remove = (why: GcReason): Judged => ({ remove: true, why });
const keep = (why: GcReason): Judged => ({ remove: false, why });

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
  const { named } = facts;
  const isMeant = ({ kind, name }: GcItem) =>
    named.length === 0 || (kind !== "run" && kind !== "leftover" && named.includes(name));
  const items = (wanted: boolean) =>
    judged
      .filter((item) => item.remove === wanted && isMeant(item))
      .map(({ kind, name, why }): GcItem => ({ kind, name, why }));
  return { remove: items(true), keep: items(false) };
}

/**
 * The commits of a clone are in `repo.git`, so a clean one could be built again. But somebody may be about to mend
 * something in it, or to look at what just landed, so only a name takes those.
 */
function judgeClone({ bead, work }: GcFacts["clones"][number], facts: GcFacts): Judged {
  const slot = facts.slots[bead];
  if (slot && isOpen(slot)) return keep({ code: "slot-open", status: slot.status });
  if (work) return keep({ code: "holds-work" });
  const wanted = slot && !facts.named.includes(bead) ? stillWanted(slot, facts) : null;
  if (wanted !== null) return keep(wanted);
  return remove(slot ? { code: "slot-over", status: slot.status } : { code: "no-slot" });
}

/** Why somebody may still want what there is of a bead that no run has to do with; null when nobody does. */
function stillWanted(slot: Slot, { now }: GcFacts): GcReason | null {
  if (waitsForPerson(slot)) return { code: "waits-for-person", status: slot.status };
  // A time that cannot be read is no proof that it was long ago.
  return now - Date.parse(slot.at) >= DAY_MS ? null : { code: "landed-lately" };
}

/** An agent's home goes with its clone; without one, by the same rule. */
function judgeHome(bead: string, facts: GcFacts): Judged {
  const clone = facts.clones.find((found) => found.bead === bead);
  return judgeClone(clone ?? { bead, work: false }, facts);
}

function judgeRun(run: string, changedAt: number, { now, days, slots, newestRun }: GcFacts): Judged {
  if (run === newestRun) return keep({ code: "newest-run" });
  const user = Object.values(slots).find(
    (slot) => (isOpen(slot) || waitsForPerson(slot)) && (slot.run === run || slot.dispatchedBy === run),
  );
  if (user) return keep({ code: "run-in-use", bead: user.bead, status: user.status });
  const age = Math.floor((now - changedAt) / DAY_MS);
  return age >= days ? remove({ code: "old", days: age }) : keep({ code: "young", days: age, least: days });
}

/**
 * Saved work goes only when its bead is over. A bead the work source does not know may be in another machine's
 * work file, so it counts as over only when the ledger has no slot for it either, and a source that lists
 * nothing at all proves nothing.
 */
function judgeRefs(bead: string, facts: GcFacts): Judged {
  const { slots, beads, clones, named } = facts;
  const slot = slots[bead];
  if (slot && isOpen(slot)) return keep({ code: "slot-open", status: slot.status });
  const wanted = slot ? stillWanted(slot, facts) : null;
  // Without the commits nothing can be built again: a name alone is not enough while the bead is open.
  const isOver = named.includes(bead) && beads.get(bead) === "closed";
  if (wanted !== null && !isOver) return keep(wanted);
  if (clones.some((clone) => clone.bead === bead && clone.work)) return keep({ code: "clone-holds-work" });
  const status = beads.get(bead);
  if (status === "closed") return remove({ code: "bead-closed" });
  if (status !== undefined) return keep({ code: "bead-open", status });
  if (slot) return keep({ code: "slot-without-bead", status: slot.status });
  return beads.size === 0 ? keep({ code: "empty-source" }) : remove({ code: "bead-unknown" });
}

function judgeLeftover(changedAt: number, { now }: GcFacts): Judged {
  return now - changedAt >= DAY_MS ? remove({ code: "leftover" }) : keep({ code: "fresh" });
}
