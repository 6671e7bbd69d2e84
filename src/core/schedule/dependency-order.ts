import { Marks } from "../../lib/marks.js";
import type { Bead } from "../model/bead.js";

export interface Neighbourhood {
  add(bead: number): void;
  has(bead: number): boolean;
  clear(): void;
}

/** Per position the positions its edges lead to; nothing where there are none. */
type Edges = readonly (readonly number[] | undefined)[];

const NOWHERE = -1;

/**
 * The order that `blocks` edges put on open beads: which beads can never run side by side because one
 * waits, directly or through others, for the other. Beads are addressed by their position in the input.
 */
export class DependencyOrder {
  readonly #blockers: Edges;
  readonly #dependents: Edges;
  readonly #lacksBlocker: ReadonlySet<number>;
  #cycles: readonly (readonly number[])[] | null = null;
  /** How many positions there are. */
  readonly size: number;
  /** Blockers that are named but not among the beads, as `[position, blocker id]`. */
  readonly missing: readonly (readonly [number, string])[];

  /** `open` are those of `all` that are not closed; an edge to a closed bead orders nothing. */
  constructor(all: readonly Bead[], open: readonly Bead[]) {
    // Only what some edge names is looked up later, and edges are few beside beads.
    const position = new Map<string, number>();
    for (const bead of open) for (const id of bead.blockers) position.set(id, NOWHERE);
    if (position.size > 0)
      for (let index = 0; index < open.length; index += 1) {
        const { id } = open[index] as Bead;
        if (position.has(id)) position.set(id, index);
      }

    const blockers: (number[] | undefined)[] = new Array(open.length);
    const dependents: (number[] | undefined)[] = new Array(open.length);
    const elsewhere: [number, string][] = [];
    for (let index = 0; index < open.length; index += 1) {
      for (const id of (open[index] as Bead).blockers) {
        const blocker = position.get(id) ?? NOWHERE;
        if (blocker === NOWHERE) {
          elsewhere.push([index, id]);
          continue;
        }
        append(blockers, index, blocker);
        append(dependents, blocker, index);
      }
    }
    const closed = new Set<string>(elsewhere.length === 0 ? [] : all.map(({ id }) => id));
    const missing = elsewhere.filter(([, id]) => !closed.has(id));
    this.#blockers = blockers;
    this.#dependents = dependents;
    this.missing = missing;
    this.#lacksBlocker = new Set(missing.map(([index]) => index));
    this.size = open.length;
  }

  /** Marks everything the bead waits for, however far away; itself only when it is on a cycle. */
  markBefore(bead: number, marks: Marks): void {
    mark(bead, this.#blockers, marks);
  }

  /** A collector of everything ordered with the beads added to it; each edge is walked once until it is cleared. */
  neighbourhood(): Neighbourhood {
    // One set for each direction: what was walked upwards has not been walked downwards.
    const above = new Marks(this.size);
    const below = new Marks(this.size);
    return {
      add: (bead) => {
        this.markBefore(bead, above);
        mark(bead, this.#dependents, below);
      },
      has: (bead) => above.has(bead) || below.has(bead),
      clear: () => {
        above.clear();
        below.clear();
      },
    };
  }

  isFree(bead: number): boolean {
    return this.#blockers[bead] === undefined && this.#dependents[bead] === undefined;
  }

  /** Whether all its blockers are closed. */
  waitsForNothing(bead: number): boolean {
    return this.#blockers[bead] === undefined && !this.#lacksBlocker.has(bead);
  }

  /** Groups of beads that wait for one another in a circle, each group in input order. */
  cycles(): readonly (readonly number[])[] {
    this.#cycles ??= stronglyConnected(this.#blockers).filter(
      (group) => group.length > 1 || this.#blockers[group[0] ?? -1]?.includes(group[0] ?? -1),
    );
    return this.#cycles;
  }

  /** Beads that nothing koryph does can make ready: on a circle, without their blocker, or behind such a bead. */
  stuck(): Marks {
    const marks = new Marks(this.size);
    for (const bead of [...this.cycles().flat(), ...this.#lacksBlocker]) {
      marks.add(bead);
      mark(bead, this.#dependents, marks);
    }
    return marks;
  }
}

function append(edges: (number[] | undefined)[], from: number, to: number): void {
  const known = edges[from];
  if (known) known.push(to);
  else edges[from] = [to];
}

/** What is marked already has been walked from, so marking again for another bead costs only what is new. */
function mark(start: number, edges: Edges, marks: Marks): void {
  if (edges[start] === undefined) return;
  const pending = [start];
  for (let bead = pending.pop(); bead !== undefined; bead = pending.pop()) {
    for (const next of edges[bead] ?? []) if (marks.add(next)) pending.push(next);
  }
}

/**
 * Groups of beads that reach one another, by Tarjan's algorithm; beads without blockers are left out.
 * It has its own stack: a chain of beads may be longer than the call stack is deep.
 */
function stronglyConnected(edges: Edges): number[][] {
  const order = new Int32Array(edges.length).fill(-1);
  const low = new Int32Array(edges.length);
  const onPath = new Uint8Array(edges.length);
  const path: number[] = [];
  const groups: number[][] = [];
  let visited = 0;

  for (let root = 0; root < edges.length; root += 1) {
    // A bead that waits for nothing is on no circle.
    if (order[root] !== -1 || edges[root] === undefined) continue;
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
        if (edges[next] === undefined) continue;
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
