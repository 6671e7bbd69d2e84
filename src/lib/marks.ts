/** A set of small whole numbers that is emptied at no cost, for walks that start anew many times. */
export class Marks {
  readonly #round: Uint32Array;
  readonly #marked: number[] = [];
  #current = 1;

  constructor(size: number) {
    this.#round = new Uint32Array(size);
  }

  /** False when it was there before. */
  add(item: number): boolean {
    if (this.#round[item] === this.#current) return false;
    this.#round[item] = this.#current;
    this.#marked.push(item);
    return true;
  }

  has(item: number): boolean {
    return this.#round[item] === this.#current;
  }

  /** What was marked since the last `clear`, in the order of marking. */
  get marked(): readonly number[] {
    return this.#marked;
  }

  clear(): void {
    this.#current += 1;
    this.#marked.length = 0;
  }
}
