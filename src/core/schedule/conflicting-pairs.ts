import type { Bead, BeadId } from "../model/bead.js";
import { type ConflictMode, collision, conflicts } from "./conflict.js";
import type { DependencyOrder } from "./dependency-order.js";
import type { Footprint } from "./footprint.js";

/** An open bead with its footprint and its position in the dependency order. */
export interface Placed {
  readonly bead: Bead;
  readonly footprint: Footprint;
  readonly position: number;
}

export interface ConflictPair {
  readonly a: BeadId;
  readonly b: BeadId;
  readonly tokens: readonly string[];
  readonly mode: ConflictMode;
}

export interface TokenLoad {
  readonly token: string;
  readonly writers: number;
  readonly readers: number;
}

export interface ConflictingPairs {
  /** All pairs that conflict and that no dependency orders, listed or not. */
  readonly total: number;
  /** The first pairs by id. */
  readonly listed: readonly ConflictPair[];
  /** The ten tokens that bring the most beads into conflict, busiest first. */
  readonly busiest: readonly TokenLoad[];
}

interface Holders<T> {
  readonly writers: T[];
  readonly readers: T[];
}

/** The pairs of beads that could run side by side but for their footprints. */
export function conflictingPairs(
  beads: readonly Placed[],
  order: DependencyOrder,
  limit: number,
): ConflictingPairs {
  const byId = [...beads].sort((a, b) => (a.bead.id < b.bead.id ? -1 : 1));
  const holders = holdersByToken(byId, (placed) => placed.footprint);
  return {
    total: countConflicts(byId) - countOrderedConflicts(byId, order),
    listed: listPairs(byId, holders, order, limit),
    busiest: busiestTokens(holders),
  };
}

/**
 * Counted by kinds of footprint rather than by beads: a backlog has few kinds, and a thousand beads
 * without labels are one of them.
 */
function countConflicts(beads: readonly Placed[]): number {
  const kinds = new Map<string, { footprint: Footprint; size: number }>();
  for (const { footprint } of beads) {
    const key = JSON.stringify([footprint.reads, footprint.writes]);
    const kind = kinds.get(key);
    if (kind) kind.size += 1;
    else kinds.set(key, { footprint, size: 1 });
  }
  const all = [...kinds.values()];
  const holders = holdersByToken(all, (kind) => kind.footprint);
  let total = 0;
  all.forEach((kind, rank) => {
    if (kind.footprint.writes.length > 0) total += (kind.size * (kind.size - 1)) / 2;
    for (const other of rivals(kind.footprint, rank, holders)) total += kind.size * (all[other]?.size ?? 0);
  });
  return total;
}

function countOrderedConflicts(beads: readonly Placed[], order: DependencyOrder): number {
  const inScope = new Map<number, Placed>(beads.map((placed) => [placed.position, placed]));
  const onCycle = new Map<number, number>();
  order.cycles().forEach((group, index) => {
    for (const position of group) onCycle.set(position, index);
  });
  let total = 0;
  for (const placed of beads) {
    if (order.isFree(placed.position)) continue;
    for (const position of order.before(placed.position)) {
      const other = inScope.get(position);
      if (!other || !conflicts(placed.footprint, other.footprint)) continue;
      // On a cycle each of two beads comes before the other; the pair counts once, and a bead is no pair.
      const sameCycle = onCycle.get(position) ?? -1;
      if (sameCycle >= 0 && sameCycle === onCycle.get(placed.position) && position >= placed.position)
        continue;
      total += 1;
    }
  }
  return total;
}

function listPairs(
  beads: readonly Placed[],
  holders: ReadonlyMap<string, Holders<number>>,
  order: DependencyOrder,
  limit: number,
): ConflictPair[] {
  const listed: ConflictPair[] = [];
  for (const [rank, a] of beads.entries()) {
    if (listed.length >= limit) break;
    const ordered = order.neighbourhood();
    if (!order.isFree(a.position)) ordered.add(a.position);
    for (const other of rivals(a.footprint, rank, holders).sort((x, y) => x - y)) {
      const b = beads[other];
      if (!b || ordered.has(b.position)) continue;
      const meeting = collision(a.footprint, b.footprint);
      if (!meeting) continue;
      if (listed.push({ a: a.bead.id, b: b.bead.id, ...meeting }) >= limit) break;
    }
  }
  return listed;
}

function busiestTokens(holders: ReadonlyMap<string, Holders<number>>): TokenLoad[] {
  const pairs = ({ writers, readers }: TokenLoad) => (writers * (writers - 1)) / 2 + writers * readers;
  return [...holders]
    .map(([token, { writers, readers }]) => ({ token, writers: writers.length, readers: readers.length }))
    .filter((load) => pairs(load) > 0)
    .sort((a, b) => pairs(b) - pairs(a) || (a.token < b.token ? -1 : 1))
    .slice(0, 10);
}

function holdersByToken<T>(
  items: readonly T[],
  footprint: (item: T) => Footprint,
): Map<string, Holders<number>> {
  const holders = new Map<string, Holders<number>>();
  const at = (token: string) => {
    const known = holders.get(token);
    if (known) return known;
    const fresh = { writers: [], readers: [] };
    holders.set(token, fresh);
    return fresh;
  };
  items.forEach((item, rank) => {
    for (const token of footprint(item).writes) at(token).writers.push(rank);
    for (const token of footprint(item).reads) at(token).readers.push(rank);
  });
  return holders;
}

/** Ranks above `rank` that conflict with the footprint, each once, in no order. */
function rivals(footprint: Footprint, rank: number, holders: ReadonlyMap<string, Holders<number>>): number[] {
  const found = new Set<number>();
  const collect = (ranks: readonly number[]) => {
    for (let index = ranks.length - 1; index >= 0; index -= 1) {
      const other = ranks[index] ?? -1;
      if (other <= rank) break;
      found.add(other);
    }
  };
  for (const token of footprint.writes) {
    collect(holders.get(token)?.writers ?? []);
    collect(holders.get(token)?.readers ?? []);
  }
  for (const token of footprint.reads) collect(holders.get(token)?.writers ?? []);
  return [...found];
}
