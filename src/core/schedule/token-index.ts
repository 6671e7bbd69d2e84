import type { Footprint } from "./footprint.js";

/**
 * Who holds which token. Answers "which holder does this footprint meet first" with one look-up per
 * token instead of a comparison with every holder; "first" is the order in which holders were added.
 */
export class TokenIndex {
  readonly #holders: string[] = [];
  readonly #firstHolder = new Map<string, number>();
  readonly #firstWriter = new Map<string, number>();
  #lookups = 0;

  add(id: string, footprint: Footprint): void {
    const rank = this.#holders.push(id) - 1;
    for (const token of footprint.writes) {
      if (!this.#firstHolder.has(token)) this.#firstHolder.set(token, rank);
      if (!this.#firstWriter.has(token)) this.#firstWriter.set(token, rank);
    }
    for (const token of footprint.reads) {
      if (!this.#firstHolder.has(token)) this.#firstHolder.set(token, rank);
    }
  }

  /** Null when nobody in the index conflicts with the footprint. */
  firstConflict(footprint: Footprint): string | null {
    let first = Number.POSITIVE_INFINITY;
    for (const token of footprint.writes) {
      const rank = this.#firstHolder.get(token);
      if (rank !== undefined && rank < first) first = rank;
    }
    for (const token of footprint.reads) {
      const rank = this.#firstWriter.get(token);
      if (rank !== undefined && rank < first) first = rank;
    }
    this.#lookups += footprint.writes.length + footprint.reads.length;
    return this.#holders[first] ?? null;
  }

  /** How many look-ups have been made so far: the cost of the answers, free of clocks. */
  get lookups(): number {
    return this.#lookups;
  }
}
