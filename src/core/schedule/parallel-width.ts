import type { Marks } from "../../lib/marks.js";
import type { DependencyOrder } from "./dependency-order.js";
import type { TokenBook } from "./token-book.js";

export interface WidthFacts {
  readonly order: DependencyOrder;
  /** A row for every position. */
  readonly book: TokenBook;
  /** What can never run takes no place. */
  readonly stuck: Marks;
  /** Positions that are taken to touch nothing anybody else touches. */
  readonly apart?: ReadonlySet<number>;
}

/** Greedy in the given order, as the scheduler packs: what it finds is reachable, though not always the most. */
export function parallelWidth(
  positions: readonly number[],
  { order, book, stuck, apart }: WidthFacts,
): { width: number; lookups: number } {
  const taken = new Uint8Array(book.size);
  const ordered = order.neighbourhood();
  let width = 0;
  let lookups = 0;
  for (const position of positions) {
    if (ordered.has(position) || stuck.has(position)) continue;
    lookups += book.rowLength(position);
    if (!apart?.has(position) && !book.take(position, taken)) continue;
    ordered.add(position);
    width += 1;
  }
  return { width, lookups };
}
