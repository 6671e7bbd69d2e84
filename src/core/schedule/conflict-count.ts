import { Marks } from "../../lib/marks.js";
import { HoldersByToken } from "./holders-by-token.js";
import { isWrite, tokenOf } from "./token-book.js";

/** Beads whose tokens are the same. */
interface Kind {
  /** Sorted. */
  readonly row: readonly number[];
  size: number;
}

/** A row of so many tokens has fifteen subsets. */
const FEW = 4;
/** Numbers up to here are exact. */
const EXACT = 2 ** 52;

/** How many pairs of these rows share a token that one of the two writes. Each row is sorted. */
export function countConflicts(rows: readonly (readonly number[])[], tokens: number): number {
  const few = Math.min(FEW, Math.floor(Math.log(EXACT) / Math.log(tokens + 1)));
  // The long ones first: each of them looks for its rivals among all that come after it.
  const kinds = kindsOf(rows).sort((a, b) => b.row.length - a.row.length);
  const firstShort = kinds.findIndex(({ row }) => row.length <= few);
  const long = firstShort === -1 ? kinds.length : firstShort;
  let total = countBySubsets(kinds.slice(long), tokens);
  for (const { row, size } of kinds) if (row.some(isWrite)) total += (size * (size - 1)) / 2;
  if (long === 0) return total;

  const holders = new HoldersByToken(kinds.map(({ row }) => row));
  const met = new Marks(kinds.length);
  for (const [rank, { row, size }] of kinds.slice(0, long).entries()) {
    met.clear();
    holders.markRivals(row, rank, met);
    for (const other of met.marked) total += size * (kinds[other]?.size ?? 0);
  }
  return total;
}

function kindsOf(rows: readonly (readonly number[])[]): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const row of rows) {
    const key = row.join();
    const known = kinds.get(key);
    if (known) known.size += 1;
    else kinds.set(key, { row, size: 1 });
  }
  return [...kinds.values()];
}

/**
 * Pairs of different kinds that meet, by inclusion and exclusion. Two beads that meet on some tokens meet on every
 * subset of these. Subsets of odd size are added and those of even size taken off, which leaves one for the pair. So a
 * bead costs as much as it has subsets, however many others it meets.
 */
function countBySubsets(kinds: readonly Kind[], tokens: number): number {
  /** Of each set of tokens how many beads have it, by which of the tokens they write: one bit for each. */
  const tallies = new Map<number, number[]>();
  let total = 0;
  for (const { row, size } of kinds) {
    for (let subset = 1; subset < 1 << row.length; subset += 1) {
      let key = 0;
      let written = 0;
      let length = 0;
      for (let at = 0; at < row.length; at += 1) {
        if ((subset & (1 << at)) === 0) continue;
        const entry = row[at] ?? 0;
        key = key * (tokens + 1) + tokenOf(entry) + 1;
        if (isWrite(entry)) written |= 1 << length;
        length += 1;
      }
      const all = (1 << length) - 1;
      const tally = tallies.get(key) ?? new Array<number>(all + 1).fill(0);
      tallies.set(key, tally);
      let met = 0;
      for (let other = 0; other <= all; other += 1) if ((written | other) === all) met += tally[other] ?? 0;
      total += length % 2 === 1 ? size * met : -size * met;
      tally[written] = (tally[written] ?? 0) + size;
    }
  }
  return total;
}
