/** Seeded chance: the same seed gives the same world, so a failure can be played again. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 1013904223) >>> 0;
  }

  /** From 0 up to, and without, `below`. */
  below(below: number): number {
    // Mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  }

  /** True so many times in a hundred. */
  percent(share: number): boolean {
    return this.below(100) < share;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}
