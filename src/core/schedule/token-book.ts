import { type AreaMap, type Footprint, isExplicit, labelTokens, UNKNOWN_TOKEN } from "./footprint.js";

/**
 * Footprints as rows of small numbers, one row after the other. Looking a text up costs more than all that
 * is done with it later, and a list of numbers is nothing to the garbage collector. Labels are taken apart once
 * each: a backlog has many beads and few labels.
 */
export class TokenBook {
  readonly #areaMap: AreaMap;
  readonly #labels = new Map<string, readonly number[]>();
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #isWritten: boolean[] = [];
  /** Of each row its tokens: see `tokenOf` and `isWrite`. */
  readonly #entries: number[] = [];
  readonly #ends: number[] = [];
  /** Of each token where it was entered last. */
  readonly #lastAt: number[] = [];

  constructor(areaMap: AreaMap = {}) {
    this.#areaMap = areaMap;
  }

  /** Begins the next row, empty as yet, and returns its number. The first is 0. */
  open(): number {
    return this.#ends.push(this.#entries.length) - 1;
  }

  /** Writes a footprint into the last row. */
  fill({ reads, writes }: Footprint): void {
    for (const token of reads) this.#enter(this.#read(token));
    for (const token of writes) this.#enter(this.#written(token));
  }

  /** Writes the footprint that labels declare into the last row: what `footprintOf` says of them. */
  fillFrom(labels: readonly string[]): void {
    const explicit = labels.some(isExplicit);
    for (const label of labels)
      if (isExplicit(label) === explicit) for (const entry of this.#entriesOf(label)) this.#enter(entry);
    if (this.rowLength(this.#ends.length - 1) === 0) this.#enter(this.#written(UNKNOWN_TOKEN));
  }

  row(row: number): number[] {
    return this.#entries.slice(this.#start(row), this.#ends[row]);
  }

  /** The row in words. */
  footprint(row: number): Footprint {
    const entries = this.row(row);
    const words = (written: boolean) =>
      entries.filter((entry) => isWrite(entry) === written).map((entry) => this.#texts[tokenOf(entry)] ?? "");
    return { reads: words(false).sort(), writes: words(true).sort() };
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
      const holder = taken[tokenOf(entry)] ?? 0;
      if (holder === WRITTEN || (holder === READ && isWrite(entry))) return false;
    }
    for (let at = start; at < end; at += 1) {
      const entry = this.#entries[at] ?? 0;
      taken[tokenOf(entry)] = isWrite(entry) ? WRITTEN : READ;
    }
    return true;
  }

  /** Whether the row says nothing of what is touched. */
  isUnknown(row: number): boolean {
    const unknown = this.#numbers.get(UNKNOWN_TOKEN);
    return this.rowLength(row) === 1 && this.#entries[this.#start(row)] === 2 * (unknown ?? -1) + 1;
  }

  /** How many tokens there are. */
  get size(): number {
    return this.#texts.length;
  }

  /** By their numbers. */
  tokens(): readonly string[] {
    return this.#texts;
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

  /** A token that the row has already stays one entry, and is written where either says so. */
  #enter(entry: number): void {
    const last = this.#ends.length - 1;
    const token = tokenOf(entry);
    const at = this.#lastAt[token] ?? -1;
    if (at >= this.#start(last)) {
      this.#entries[at] = (this.#entries[at] ?? 0) | entry;
      return;
    }
    this.#lastAt[token] = this.#entries.length;
    this.#ends[last] = this.#entries.push(entry);
  }

  #entriesOf(label: string): readonly number[] {
    const known = this.#labels.get(label);
    if (known !== undefined) return known;
    const { reads, writes } = labelTokens(label, this.#areaMap);
    const entries = [
      ...reads.map((token) => this.#read(token)),
      ...writes.map((token) => this.#written(token)),
    ];
    this.#labels.set(label, entries);
    return entries;
  }

  #read(token: string): number {
    return 2 * this.#number(token);
  }

  #written(token: string): number {
    const number = this.#number(token);
    this.#isWritten[number] = true;
    return 2 * number + 1;
  }

  #number(token: string): number {
    const known = this.#numbers.get(token);
    if (known !== undefined) return known;
    const number = this.#texts.push(token) - 1;
    this.#numbers.set(token, number);
    return number;
  }
}

const READ = 1;
const WRITTEN = 2;

/** Which token an entry of a row is about. */
export function tokenOf(entry: number): number {
  return entry >> 1;
}

/** Whether that token is written, and not only read. */
export function isWrite(entry: number): boolean {
  return (entry & 1) === 1;
}
