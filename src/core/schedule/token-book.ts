import type { Footprint } from "./footprint.js";

/**
 * Footprints as rows of small numbers, one row after the other. Looking a text up costs more than all that
 * is done with it later, and a list of numbers is nothing to the garbage collector.
 */
export class TokenBook {
  readonly #numbers = new Map<string, number>();
  readonly #isWritten: boolean[] = [];
  /** Of each row its tokens: twice the token's number, and one more where it is written. */
  readonly #entries: number[] = [];
  readonly #ends: number[] = [];

  /** Begins the next row, empty as yet. Rows are numbered from 0. */
  open(): void {
    this.#ends.push(this.#entries.length);
  }

  /** Writes a footprint into the last row. */
  fill({ reads, writes }: Footprint): void {
    for (const token of reads) this.#entries.push(2 * this.#number(token));
    for (const token of writes) {
      const number = this.#number(token);
      this.#isWritten[number] = true;
      this.#entries.push(2 * number + 1);
    }
    this.#ends[this.#ends.length - 1] = this.#entries.length;
  }

  rowLength(row: number): number {
    return (this.#ends[row] ?? 0) - this.#start(row);
  }

  /** Takes the row's tokens, unless one of them is taken in a way that conflicts; false when so. */
  take(row: number, taken: Uint8Array): boolean {
    const start = this.#start(row);
    const end = this.#ends[row] ?? start;
    for (let at = start; at < end; at += 1) {
      const entry = this.#entries[at] ?? 0;
      const holder = taken[entry >> 1] ?? 0;
      if (holder === WRITTEN || (holder === READ && (entry & 1) === 1)) return false;
    }
    for (let at = start; at < end; at += 1) {
      const entry = this.#entries[at] ?? 0;
      taken[entry >> 1] = (entry & 1) === 1 ? WRITTEN : READ;
    }
    return true;
  }

  /** How many tokens there are. */
  get size(): number {
    return this.#numbers.size;
  }

  tokens(): Iterable<string> {
    return this.#numbers.keys();
  }

  has(token: string): boolean {
    return this.#numbers.has(token);
  }

  /** Whether anybody writes it. */
  isWritten(token: string): boolean {
    return this.#isWritten[this.#numbers.get(token) ?? -1] === true;
  }

  #start(row: number): number {
    return row === 0 ? 0 : (this.#ends[row - 1] ?? 0);
  }

  #number(token: string): number {
    const known = this.#numbers.get(token);
    if (known !== undefined) return known;
    this.#isWritten.push(false);
    this.#numbers.set(token, this.#isWritten.length - 1);
    return this.#isWritten.length - 1;
  }
}

const READ = 1;
const WRITTEN = 2;
