/** Resource kind to how many beads may hold it at once. A kind that is not listed has one place. */
export type Capacities = Readonly<Record<string, number>>;

const KIND = /^res:[a-z0-9-]+$/;

/** The machine resources a bead's `res:<kind>` labels ask for, sorted; malformed labels ask for nothing. */
export function resourcesOf(labels: readonly string[]): readonly string[] {
  const kinds: string[] = [];
  for (const label of labels)
    if (label.startsWith("res:") && KIND.test(label)) kinds.push(label.slice("res:".length));
  return kinds.length < 2 ? kinds : [...new Set(kinds)].sort();
}

export function isMalformedResource(label: string): boolean {
  return label.startsWith("res:") && !KIND.test(label);
}

/** Who holds what, in the order in which it was taken. */
export class ResourceHolders {
  readonly #capacities: Capacities;
  readonly #holders = new Map<string, string[]>();

  constructor(capacities: Capacities) {
    this.#capacities = capacities;
  }

  take(id: string, kinds: readonly string[]): void {
    for (const kind of kinds) {
      const holders = this.#holders.get(kind);
      if (holders) holders.push(id);
      else this.#holders.set(kind, [id]);
    }
  }

  /**
   * The first kind without a free place and who has held it longest; null when all are free. Nobody holds a kind
   * that has no place at all.
   */
  full(kinds: readonly string[]): { kind: string; by: string | null } | null {
    for (const kind of kinds) {
      const holders = this.#holders.get(kind) ?? [];
      if (holders.length >= this.#capacity(kind)) return { kind, by: holders[0] ?? null };
    }
    return null;
  }

  #capacity(kind: string): number {
    return Object.hasOwn(this.#capacities, kind) ? (this.#capacities[kind] ?? 1) : 1;
  }
}
