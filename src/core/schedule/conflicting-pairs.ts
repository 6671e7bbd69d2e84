import { Marks } from "../../lib/marks.js";
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

const NOTHING: Footprint = { reads: [], writes: [] };

/** A list of pairs ends here too: beads may share thousands of tokens, and each pair names all of them. */
const LISTED_TOKENS = 1_000_000;

interface Holders {
  readonly writers: number[];
  readonly readers: number[];
}

/** The pairs of beads that could run side by side but for their footprints. */
export function conflictingPairs(
  beads: readonly Placed[],
  order: DependencyOrder,
  limit: number,
): ConflictingPairs {
  const byId = [...beads].sort((a, b) => (a.bead.id < b.bead.id ? -1 : 1));
  const holders = holdersByToken(byId.map(({ footprint }) => footprint));
  const contested = byId.map(({ footprint }) => contestedPart(footprint, holders));
  const kinds = kindsOf(contested);
  const total = countConflicts(kinds.all) - countOrderedConflicts(byId, kinds, order);
  return {
    total,
    listed: listPairs(byId, holders, order, Math.min(limit, total)),
    busiest: total === 0 ? [] : busiestTokens(holders),
  };
}

/** Without the tokens over which nobody can meet: what is left is often the same for thousands of beads. */
function contestedPart({ reads, writes }: Footprint, holders: ReadonlyMap<string, Holders>): Footprint {
  const isContested = (token: string) => {
    const at = holders.get(token);
    return at !== undefined && at.writers.length > 0 && at.writers.length + at.readers.length > 1;
  };
  return { reads: reads.filter(isContested), writes: writes.filter(isContested) };
}

interface Kind {
  readonly footprint: Footprint;
  size: number;
}

interface Kinds {
  readonly all: readonly Kind[];
  /** Which kind each bead is. */
  readonly of: readonly number[];
}

/** Beads with the same footprint are one kind. */
function kindsOf(footprints: readonly Footprint[]): Kinds {
  const known = new Map<string, number>();
  const all: Kind[] = [];
  const of = footprints.map((footprint) => {
    const key = JSON.stringify([footprint.reads, footprint.writes]);
    const index = known.get(key) ?? all.push({ footprint, size: 0 }) - 1;
    known.set(key, index);
    (all[index] as Kind).size += 1;
    return index;
  });
  return { all, of };
}

/**
 * Counted by kinds of footprint rather than by beads: a backlog has few kinds, and a thousand beads
 * without labels are one of them.
 */
function countConflicts(kinds: readonly Kind[]): number {
  const holders = holdersByToken(kinds.map(({ footprint }) => footprint));
  const met = new Marks(kinds.length);
  let total = 0;
  for (const [rank, kind] of kinds.entries()) {
    if (kind.footprint.writes.length > 0) total += (kind.size * (kind.size - 1)) / 2;
    met.clear();
    markRivals(kind.footprint, rank, holders, met);
    for (const other of met.marked) total += kind.size * (kinds[other]?.size ?? 0);
  }
  return total;
}

function countOrderedConflicts(beads: readonly Placed[], kinds: Kinds, order: DependencyOrder): number {
  const kindAt = (rank: number) => kinds.all[kinds.of[rank] ?? -1]?.footprint ?? NOTHING;
  const rankAt = new Int32Array(order.size).fill(-1);
  for (const [rank, { position }] of beads.entries()) rankAt[position] = rank;
  const circles = new Int32Array(order.size).fill(-1);
  for (const [index, group] of order.cycles().entries())
    for (const position of group) circles[position] = index;

  const before = new Marks(order.size);
  let total = 0;
  for (const [rank, { position }] of beads.entries()) {
    const footprint = kindAt(rank);
    if (order.isFree(position) || (footprint.writes.length === 0 && footprint.reads.length === 0)) continue;
    before.clear();
    order.markBefore(position, before);
    for (const earlier of before.marked) {
      const other = rankAt[earlier] ?? -1;
      if (other === -1) continue;
      const meet =
        kinds.of[other] === kinds.of[rank]
          ? footprint.writes.length > 0
          : conflicts(footprint, kindAt(other));
      // On a circle each of two beads comes before the other; the pair counts once, and a bead is no pair.
      const sameCircle = circles[earlier] !== -1 && circles[earlier] === circles[position];
      if (meet && !(sameCircle && earlier >= position)) total += 1;
    }
  }
  return total;
}

function listPairs(
  beads: readonly Placed[],
  holders: ReadonlyMap<string, Holders>,
  order: DependencyOrder,
  limit: number,
): ConflictPair[] {
  const listed: ConflictPair[] = [];
  let tokens = 0;
  const ordered = order.neighbourhood();
  const met = new Marks(beads.length);
  for (const [rank, a] of beads.entries()) {
    if (listed.length >= limit || tokens > LISTED_TOKENS) break;
    met.clear();
    markRivals(a.footprint, rank, holders, met);
    if (met.marked.length === 0) continue;
    ordered.clear();
    ordered.add(a.position);
    const free = met.marked
      .filter((other) => !ordered.has(beads[other]?.position ?? -1))
      .sort((x, y) => x - y);
    for (const other of free.slice(0, limit - listed.length)) {
      if (tokens > LISTED_TOKENS) break;
      const b = beads[other];
      const meeting = b && collision(a.footprint, b.footprint);
      if (!meeting) continue;
      listed.push({ a: a.bead.id, b: b.bead.id, ...meeting });
      tokens += meeting.tokens.length;
    }
  }
  return listed;
}

function busiestTokens(holders: ReadonlyMap<string, Holders>): TokenLoad[] {
  const pairs = ({ writers, readers }: TokenLoad) => (writers * (writers - 1)) / 2 + writers * readers;
  return [...holders]
    .map(([token, { writers, readers }]) => ({ token, writers: writers.length, readers: readers.length }))
    .filter((load) => pairs(load) > 0)
    .sort((a, b) => pairs(b) - pairs(a) || (a.token < b.token ? -1 : 1))
    .slice(0, 10);
}

function holdersByToken(footprints: readonly Footprint[]): Map<string, Holders> {
  const holders = new Map<string, Holders>();
  const at = (token: string) => {
    const known = holders.get(token);
    if (known) return known;
    const fresh = { writers: [], readers: [] };
    holders.set(token, fresh);
    return fresh;
  };
  for (const [rank, footprint] of footprints.entries()) {
    for (const token of footprint.writes) at(token).writers.push(rank);
    for (const token of footprint.reads) at(token).readers.push(rank);
  }
  return holders;
}

/** Marks the ranks above `rank` that conflict with the footprint. */
function markRivals(
  footprint: Footprint,
  rank: number,
  holders: ReadonlyMap<string, Holders>,
  met: Marks,
): void {
  const collect = (ranks: readonly number[] = []) => {
    // Ranks ascend, so those above are at the end.
    for (let index = ranks.length - 1; index >= 0; index -= 1) {
      const other = ranks[index] ?? -1;
      if (other <= rank) break;
      met.add(other);
    }
  };
  for (const token of footprint.writes) {
    collect(holders.get(token)?.writers);
    collect(holders.get(token)?.readers);
  }
  for (const token of footprint.reads) collect(holders.get(token)?.writers);
}
