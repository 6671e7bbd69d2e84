import type { Marks } from "../../lib/marks.js";
import { isWrite, tokenOf } from "./token-book.js";

export interface Holders {
  /** Ranks, ascending. */
  readonly writers: readonly number[];
  readonly readers: readonly number[];
}

const NOBODY: Holders = { writers: [], readers: [] };

/** Who writes and who reads each token, by rank: the place of its row. */
export class HoldersByToken {
  readonly #holders: { readonly writers: number[]; readonly readers: number[] }[] = [];

  constructor(rows: readonly (readonly number[])[]) {
    for (let rank = 0; rank < rows.length; rank += 1) {
      for (const entry of rows[rank] ?? []) {
        const known = this.#holders[tokenOf(entry)];
        const { writers, readers } = known ?? { writers: [], readers: [] };
        if (known === undefined) this.#holders[tokenOf(entry)] = { writers, readers };
        if (isWrite(entry)) writers.push(rank);
        else readers.push(rank);
      }
    }
  }

  of(token: number): Holders {
    return this.#holders[token] ?? NOBODY;
  }

  /** Whether two of its holders can meet over it. */
  isContested(token: number): boolean {
    const { writers, readers } = this.of(token);
    return writers.length > 0 && writers.length + readers.length > 1;
  }

  /** Marks the ranks above `rank` that conflict with its row. */
  markRivals(row: readonly number[], rank: number, met: Marks): void {
    for (const entry of row) {
      const { writers, readers } = this.of(tokenOf(entry));
      markAbove(rank, writers, met);
      if (isWrite(entry)) markAbove(rank, readers, met);
    }
  }
}

function markAbove(rank: number, ranks: readonly number[], met: Marks): void {
  // Ranks ascend, so those above are at the end.
  for (let index = ranks.length - 1; index >= 0; index -= 1) {
    const other = ranks[index] ?? -1;
    if (other <= rank) break;
    met.add(other);
  }
}
