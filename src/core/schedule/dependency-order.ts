import type { Bead } from "../model/bead.js";

/**
 * The order that `blocks` edges put on open beads: which beads can never run side by side because one
 * waits, directly or through others, for the other. Beads are addressed by their position in the input.
 */
export class DependencyOrder {
  readonly #blockers: readonly (readonly number[])[];
  readonly #dependents: readonly (readonly number[])[];
  /** Blockers that are named but not among the beads, as `[position, blocker id]`. */
  readonly missing: readonly (readonly [number, string])[];

  /** `known` are the ids that exist at all; an edge to a known bead outside `open` is satisfied. */
  constructor(open: readonly Bead[], known: { has(id: string): boolean }) {
    const position = new Map<string, number>(open.map((bead, index) => [bead.id, index]));
    const missing: [number, string][] = [];
    const dependents: number[][] = open.map(() => []);
    this.#blockers = open.map((bead, index) => {
      const blockers: number[] = [];
      for (const id of bead.blockers) {
        const blocker = position.get(id);
        if (blocker !== undefined) {
          blockers.push(blocker);
          dependents[blocker]?.push(index);
        } else if (!known.has(id)) missing.push([index, id]);
      }
      return blockers;
    });
    this.#dependents = dependents;
    this.missing = missing;
  }

  /** Everything the bead waits for, however far away. The bead itself is in it only when it is on a cycle. */
  before(bead: number): Set<number> {
    return reach(bead, this.#blockers, new Set());
  }

  /** A collector of everything ordered with the beads added to it; each edge is walked once in all. */
  neighbourhood(): { add(bead: number): void; has(bead: number): boolean } {
    const above = new Set<number>();
    const below = new Set<number>();
    return {
      add: (bead) => {
        reach(bead, this.#blockers, above);
        reach(bead, this.#dependents, below);
      },
      has: (bead) => above.has(bead) || below.has(bead),
    };
  }

  isFree(bead: number): boolean {
    return this.#blockers[bead]?.length === 0 && this.#dependents[bead]?.length === 0;
  }

  /** Groups of beads that wait for one another in a circle, each group in input order. */
  cycles(): number[][] {
    return stronglyConnected(this.#blockers).filter(
      (group) => group.length > 1 || this.#blockers[group[0] ?? -1]?.includes(group[0] ?? -1),
    );
  }
}

/** Adds to `seen` what can be reached from `start`. What is in it already has been walked from. */
function reach(start: number, edges: readonly (readonly number[])[], seen: Set<number>): Set<number> {
  const pending = [start];
  for (let bead = pending.pop(); bead !== undefined; bead = pending.pop()) {
    for (const next of edges[bead] ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      pending.push(next);
    }
  }
  return seen;
}

/** Tarjan's algorithm, with its own stack: a chain of beads may be longer than the call stack is deep. */
function stronglyConnected(edges: readonly (readonly number[])[]): number[][] {
  const order = new Int32Array(edges.length).fill(-1);
  const low = new Int32Array(edges.length);
  const onPath = new Uint8Array(edges.length);
  const path: number[] = [];
  const groups: number[][] = [];
  let visited = 0;

  for (let root = 0; root < edges.length; root += 1) {
    if (order[root] !== -1) continue;
    const visits: { bead: number; edge: number }[] = [{ bead: root, edge: 0 }];
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const { bead } = visit;
      if (visit.edge === 0) {
        order[bead] = low[bead] = visited++;
        path.push(bead);
        onPath[bead] = 1;
      }
      const next = edges[bead]?.[visit.edge++];
      if (next !== undefined) {
        if (order[next] === -1) visits.push({ bead: next, edge: 0 });
        else if (onPath[next]) low[bead] = Math.min(low[bead] ?? 0, order[next] ?? 0);
        continue;
      }
      visits.pop();
      const parent = visits.at(-1)?.bead;
      if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[bead] ?? 0);
      if (low[bead] !== order[bead]) continue;
      const group = path.splice(path.lastIndexOf(bead));
      for (const member of group) onPath[member] = 0;
      groups.push(group.sort((a, b) => a - b));
    }
  }
  return groups;
}
