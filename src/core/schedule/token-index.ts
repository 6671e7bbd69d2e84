import { isWrite, type TokenBook, tokenOf } from "./token-book.js";

/**
 * Who holds which token. Answers "which holder does this row meet first" with one look-up per
 * token instead of a comparison with every holder; "first" is the order in which holders were added.
 */
export class TokenIndex<Holder> {
  readonly #book: TokenBook;
  readonly #holders: Holder[] = [];
  readonly #firstHolder = new Map<number, number>();
  readonly #firstWriter = new Map<number, number>();
  #lookups = 0;

  constructor(book: TokenBook) {
    this.#book = book;
  }

  add(holder: Holder, row: number): void {
    const rank = this.#holders.push(holder) - 1;
    for (const entry of this.#book.row(row)) {
      const token = tokenOf(entry);
      if (!this.#firstHolder.has(token)) this.#firstHolder.set(token, rank);
      if (isWrite(entry) && !this.#firstWriter.has(token)) this.#firstWriter.set(token, rank);
    }
  }

  /** Null when nobody in the index conflicts with the row. */
  firstConflict(row: number): Holder | null {
    let first = Number.POSITIVE_INFINITY;
    for (const entry of this.#book.row(row)) {
      const holders = isWrite(entry) ? this.#firstHolder : this.#firstWriter;
      first = Math.min(first, holders.get(tokenOf(entry)) ?? first);
    }
    this.#lookups += this.#book.rowLength(row);
    return this.#holders[first] ?? null;
  }

  /** How many look-ups have been made so far: the cost of the answers, free of clocks. */
  get lookups(): number {
    return this.#lookups;
  }
}
