import type { Bead } from "../model/bead.js";
import type { DispatchRefusal } from "./dispatch-refusal.js";
import { ineligible } from "./eligibility.js";
import { type AreaMap, type Footprint, footprintOf } from "./footprint.js";
import { inPriorityOrder } from "./priority-order.js";
import { type Capacities, ResourceHolders, resourcesOf } from "./resources.js";
import { TokenBook } from "./token-book.js";
import { TokenIndex } from "./token-index.js";

/** After so many footprint deferrals a bead's tokens are kept free for it. */
export const STARVING_AFTER = 5;

const WAVE_FULL: DispatchRefusal = { code: "wave_full" };

/** A bead that runs already, with the footprint and resources it was dispatched with. */
export interface InFlight {
  readonly id: string;
  readonly footprint: Footprint;
  readonly resources?: readonly string[];
}

export interface WaveInput {
  /** Beads whose blockers are closed, in the tracker's order. */
  readonly frontier: readonly Bead[];
  readonly areaMap: AreaMap;
  /** How many beads may be selected; absent means no cap, 0 selects none. */
  readonly width?: number;
  readonly inFlight?: readonly InFlight[];
  readonly capacities?: Capacities;
  /** Ids of beads with open children: see `containersOf`. */
  readonly containers?: ReadonlySet<string>;
  /** Beads refused for a reason decided elsewhere, such as a model that is not allowed. */
  readonly refused?: ReadonlyMap<string, DispatchRefusal>;
  /** How often each bead was deferred for its footprint so far, as the last wave returned it. */
  readonly deferrals?: Readonly<Record<string, number>>;
}

export interface Selected {
  readonly bead: Bead;
  readonly footprint: Footprint;
  readonly resources: readonly string[];
}

export interface NotSelected {
  readonly bead: Bead;
  readonly refusal: DispatchRefusal;
}

export interface Wave {
  readonly selected: readonly Selected[];
  readonly deferred: readonly NotSelected[];
  readonly skipped: readonly NotSelected[];
  /** Footprint deferrals per bead of this frontier, to be passed to the next wave. */
  readonly deferrals: Readonly<Record<string, number>>;
  /** Token look-ups made while packing. */
  readonly lookups: number;
}

/**
 * Picks the beads that may run together now. Every bead of the frontier ends in exactly one of
 * selected, deferred and skipped. Only a full wave ends packing: any other deferral lets beads of
 * lower priority through, except that they may not take what is reserved for a starving one.
 */
export function buildWave(input: WaveInput): Wave {
  const inFlight = [...(input.inFlight ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
  const counts = new Map(Object.entries(input.deferrals ?? {}));
  // Looking for an id takes its hash, even among none.
  const waited = (bead: Bead) => (counts.size === 0 ? 0 : (counts.get(bead.id) ?? 0));
  const { candidates, deferred, skipped } = sift(input, inFlight);
  const packing = new Packing(input, inFlight);
  const deferrals = countsOf([...deferred, ...skipped], waited);
  const selected: Selected[] = [];
  const width = input.width ?? Number.POSITIVE_INFINITY;

  for (const bead of inPackingOrder(candidates, waited)) {
    const before = waited(bead);
    if (selected.length >= width) {
      deferred.push({ bead, refusal: WAVE_FULL });
      if (before > 0) deferrals[bead.id] = before;
      continue;
    }
    const row = packing.rowOf(bead);
    const resources = resourcesOf(bead.labels);
    const refusal = packing.refusal(row, resources);
    if (refusal === null) {
      packing.select(bead.id, row, resources);
      selected.push({ bead, footprint: footprintOf(bead.labels, input.areaMap), resources });
      deferrals[bead.id] = 0;
      continue;
    }
    deferred.push({ bead, refusal });
    const after = before + (isFootprintConflict(refusal) ? 1 : 0);
    if (after > 0) deferrals[bead.id] = after;
    if (before >= STARVING_AFTER) packing.reserve(bead.id, row);
  }
  return { selected, deferred, skipped, deferrals, lookups: packing.lookups };
}

/** By priority; among beads of one priority the starving ones first, or newcomers could pass one for ever. */
function inPackingOrder(candidates: readonly Bead[], waited: (bead: Bead) => number): Bead[] {
  return inPriorityOrder(candidates, (bead) => 2 * bead.priority + (waited(bead) >= STARVING_AFTER ? 0 : 1));
}

/** A bead that may not run at all for now goes on waiting from where it was. */
function countsOf(items: readonly NotSelected[], waited: (bead: Bead) => number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { bead } of items) {
    const before = waited(bead);
    if (before > 0) counts[bead.id] = before;
  }
  return counts;
}

/** What is taken: by beads in flight, for starving beads, by this wave. Asked in that order. */
class Packing {
  readonly #book: TokenBook;
  /** A bead that holds tokens stands in the way of every other in the same words. */
  readonly #flying: TokenIndex<DispatchRefusal>;
  readonly #reserved: TokenIndex<DispatchRefusal>;
  readonly #wave: TokenIndex<DispatchRefusal>;
  readonly #resources: ResourceHolders;

  constructor({ areaMap, capacities = {} }: WaveInput, inFlight: readonly InFlight[]) {
    this.#book = new TokenBook(areaMap);
    this.#flying = new TokenIndex(this.#book);
    this.#reserved = new TokenIndex(this.#book);
    this.#wave = new TokenIndex(this.#book);
    this.#resources = new ResourceHolders(capacities);
    for (const { id, footprint, resources = [] } of inFlight) {
      const row = this.#book.open();
      this.#book.fill(footprint);
      this.#flying.add({ code: "conflict_in_flight", by: id }, row);
      this.#resources.take(id, resources);
    }
  }

  /** The bead's tokens, to be asked about. */
  rowOf({ labels }: Bead): number {
    const row = this.#book.open();
    this.#book.fillFrom(labels);
    return row;
  }

  refusal(row: number, resources: readonly string[]): DispatchRefusal | null {
    const full = this.#resources.full(resources);
    if (full) return { code: "resource_at_capacity", resource: full.kind, by: full.by };
    return (
      this.#flying.firstConflict(row) ?? this.#reserved.firstConflict(row) ?? this.#wave.firstConflict(row)
    );
  }

  select(id: string, row: number, resources: readonly string[]): void {
    this.#wave.add({ code: "conflict", by: id }, row);
    this.#resources.take(id, resources);
  }

  reserve(id: string, row: number): void {
    this.#reserved.add({ code: "reserved", by: id }, row);
  }

  get lookups(): number {
    return this.#flying.lookups + this.#reserved.lookups + this.#wave.lookups;
  }
}

function sift(input: WaveInput, inFlight: readonly InFlight[]) {
  const active = new Set(inFlight.map((slot) => slot.id));
  const containers = input.containers ?? new Set<string>();
  const candidates: Bead[] = [];
  const deferred: NotSelected[] = [];
  const skipped: NotSelected[] = [];
  for (const bead of input.frontier) {
    const verdict = ineligible(bead, { active, containers });
    const refusal = verdict?.refusal ?? input.refused?.get(bead.id);
    if (refusal === undefined) candidates.push(bead);
    else if (verdict?.bucket === "skipped") skipped.push({ bead, refusal });
    else deferred.push({ bead, refusal });
  }
  return { candidates, deferred, skipped };
}

function isFootprintConflict(refusal: DispatchRefusal): boolean {
  return refusal.code === "conflict" || refusal.code === "conflict_in_flight";
}
