export interface CacheBounds<V> {
  readonly mostEntries: number;
  /** For all entries together; without it only their number counts. */
  readonly mostWeight?: number;
  readonly weigh?: (value: V) => number;
}

/** Remembers what was used last, and forgets the rest as soon as it grows beyond its bounds. */
export class BoundedCache<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly weight: number }>();
  readonly #bounds: CacheBounds<V>;
  #weight = 0;

  constructor(bounds: CacheBounds<V>) {
    this.#bounds = bounds;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A map keeps the order of insertion, so the first entry is always the one that was used longest ago.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V): void {
    this.delete(key);
    const weight = this.#bounds.weigh?.(value) ?? 0;
    const { mostEntries, mostWeight = Number.POSITIVE_INFINITY } = this.#bounds;
    if (weight > mostWeight) return;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= mostEntries && this.#weight <= mostWeight) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
