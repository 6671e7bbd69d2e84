import { Marks } from "../../lib/marks.js";
import type { Bead, BeadId } from "../model/bead.js";
import { type ConflictMode, collision } from "./conflict.js";
import { countConflicts } from "./conflict-count.js";
import type { DependencyOrder } from "./dependency-order.js";
import { HoldersByToken } from "./holders-by-token.js";
import { isWrite, type TokenBook, tokenOf } from "./token-book.js";

export interface PairFacts {
  readonly open: readonly Bead[];
  readonly order: DependencyOrder;
  /** A row for every position. */
  readonly book: TokenBook;
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

/** A list of pairs ends here too: beads may share thousands of tokens, and each pair names all of them. */
const LISTED_TOKENS = 1_000_000;

/** The pairs of beads that could run side by side but for their footprints. */
export function conflictingPairs(
  positions: readonly number[],
  facts: PairFacts,
  limit: number,
): ConflictingPairs {
  const { open, order, book } = facts;
  const byId = [...positions].sort((a, b) => ((open[a] as Bead).id < (open[b] as Bead).id ? -1 : 1));
  const rows = byId.map((position) => book.row(position));
  const holders = new HoldersByToken(rows);
  // Tokens over which nobody can meet are left out: what remains is often the same for thousands of beads.
  const contested = rows.map((row) =>
    row.filter((entry) => holders.isContested(tokenOf(entry))).sort((a, b) => a - b),
  );
  const total = countConflicts(contested, book.size) - countOrderedConflicts(byId, contested, order);
  return {
    total,
    listed: listPairs({ byId, rows, holders }, facts, Math.min(limit, total)),
    busiest: total === 0 ? [] : busiestTokens(holders, book),
  };
}

function countOrderedConflicts(
  positions: readonly number[],
  rows: readonly (readonly number[])[],
  order: DependencyOrder,
): number {
  const rankAt = new Int32Array(order.size).fill(-1);
  for (const [rank, position] of positions.entries()) rankAt[position] = rank;
  const circles = new Int32Array(order.size).fill(-1);
  for (const [index, group] of order.cycles().entries())
    for (const position of group) circles[position] = index;

  const before = new Marks(order.size);
  let total = 0;
  for (const [rank, position] of positions.entries()) {
    const row = rows[rank] ?? [];
    if (order.isFree(position) || row.length === 0) continue;
    before.clear();
    order.markBefore(position, before);
    for (const earlier of before.marked) {
      // On a circle each of two beads comes before the other; the pair counts once, and a bead is no pair.
      const sameCircle = circles[earlier] !== -1 && circles[earlier] === circles[position];
      if (sameCircle && earlier >= position) continue;
      if (meet(row, rows[rankAt[earlier] ?? -1] ?? [])) total += 1;
    }
  }
  return total;
}

/** Whether two sorted rows conflict. */
function meet(a: readonly number[], b: readonly number[]): boolean {
  let at = 0;
  for (const entry of a) {
    let other = b[at];
    while (other !== undefined && tokenOf(other) < tokenOf(entry)) other = b[++at];
    if (other === undefined) return false;
    if (tokenOf(other) === tokenOf(entry) && (isWrite(other) || isWrite(entry))) return true;
  }
  return false;
}

interface Ranked {
  /** Positions. */
  readonly byId: readonly number[];
  readonly rows: readonly (readonly number[])[];
  readonly holders: HoldersByToken;
}

function listPairs(
  { byId, rows, holders }: Ranked,
  { open, order, book }: PairFacts,
  limit: number,
): ConflictPair[] {
  const listed: ConflictPair[] = [];
  let tokens = 0;
  const ordered = order.neighbourhood();
  const met = new Marks(byId.length);
  for (const [rank, a] of byId.entries()) {
    if (listed.length >= limit || tokens > LISTED_TOKENS) break;
    met.clear();
    holders.markRivals(rows[rank] ?? [], rank, met);
    if (met.marked.length === 0) continue;
    ordered.clear();
    ordered.add(a);
    const free = met.marked.filter((other) => !ordered.has(byId[other] ?? -1)).sort((x, y) => x - y);
    for (const b of free.slice(0, limit - listed.length).map((other) => byId[other] ?? -1)) {
      if (tokens > LISTED_TOKENS) break;
      const meeting = collision(book.footprint(a), book.footprint(b));
      if (!meeting) continue;
      listed.push({ a: (open[a] as Bead).id, b: (open[b] as Bead).id, ...meeting });
      tokens += meeting.tokens.length;
    }
  }
  return listed;
}

function busiestTokens(holders: HoldersByToken, book: TokenBook): TokenLoad[] {
  const pairs = ({ writers, readers }: TokenLoad) => (writers * (writers - 1)) / 2 + writers * readers;
  return book
    .tokens()
    .map((token, number) => {
      const { writers, readers } = holders.of(number);
      return { token, writers: writers.length, readers: readers.length };
    })
    .filter((load) => pairs(load) > 0)
    .sort((a, b) => pairs(b) - pairs(a) || (a.token < b.token ? -1 : 1))
    .slice(0, 10);
}
