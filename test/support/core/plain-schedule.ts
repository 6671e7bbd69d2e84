import { type Bead, isClosed } from "../../../src/core/model/bead.js";
import type {
  InFlight,
  NotSelected,
  Selected,
  Wave,
  WaveInput,
} from "../../../src/core/schedule/build-wave.js";
import { type ConflictMode, conflicts } from "../../../src/core/schedule/conflict.js";
import type { ConflictPair } from "../../../src/core/schedule/conflicting-pairs.js";
import type { DispatchRefusal } from "../../../src/core/schedule/dispatch-refusal.js";
import { ineligible } from "../../../src/core/schedule/eligibility.js";
import {
  type AreaMap,
  type Footprint,
  footprintOf,
  UNKNOWN_TOKEN,
} from "../../../src/core/schedule/footprint.js";
import { resourcesOf } from "../../../src/core/schedule/resources.js";
import { containersOf } from "../../../src/core/schedule/work-graph.js";

/** `lookups` has no meaning here: everything is compared with everything. */
type PlainWave = Omit<Wave, "lookups">;

interface Held {
  readonly id: string;
  readonly footprint: Footprint;
}

const nobody = { active: new Set<string>(), containers: new Set<string>() };

/** `buildWave` as one would first write it: each bead against everything in flight, reserved and selected. */
export function plainBuildWave(input: WaveInput): PlainWave {
  const inFlight = [...(input.inFlight ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
  const selected: Selected[] = [];
  const deferred: NotSelected[] = [];
  const skipped: NotSelected[] = [];
  const candidates: Bead[] = [];
  const facts = {
    active: new Set(inFlight.map(({ id }) => id)),
    containers: input.containers ?? new Set<string>(),
  };
  for (const bead of input.frontier) {
    const verdict = ineligible(bead, facts);
    const refused = input.refused?.get(bead.id);
    if (verdict?.bucket === "skipped") skipped.push({ bead, refusal: verdict.refusal });
    else if (verdict) deferred.push({ bead, refusal: verdict.refusal });
    else if (refused) deferred.push({ bead, refusal: refused });
    else candidates.push(bead);
  }

  const waited = ({ id }: Bead) => input.deferrals?.[id] ?? 0;
  const deferrals: Record<string, number> = Object.fromEntries(
    [...deferred, ...skipped].flatMap(({ bead }) => (waited(bead) > 0 ? [[bead.id, waited(bead)]] : [])),
  );
  const reserved: Held[] = [];
  const rank = (bead: Bead) => bead.priority * 2 + (waited(bead) >= 5 ? 0 : 1);
  for (const bead of candidates.sort((a, b) => rank(a) - rank(b))) {
    const before = waited(bead);
    const wanted = {
      footprint: footprintOf(bead.labels, input.areaMap),
      resources: resourcesOf(bead.labels),
    };
    const full = input.width !== undefined && selected.length >= input.width;
    const refusal: DispatchRefusal | null = full
      ? { code: "wave_full" }
      : inTheWay(wanted, { inFlight, reserved, selected, input });
    if (refusal === null) {
      selected.push({ bead, ...wanted });
      deferrals[bead.id] = 0;
      continue;
    }
    deferred.push({ bead, refusal });
    const counts = refusal.code === "conflict" || refusal.code === "conflict_in_flight";
    const after = before + (counts ? 1 : 0);
    if (after > 0) deferrals[bead.id] = after;
    if (before >= 5) reserved.push({ id: bead.id, footprint: wanted.footprint });
  }
  return { selected, deferred, skipped, deferrals };
}

interface Taken {
  readonly inFlight: readonly InFlight[];
  readonly reserved: readonly Held[];
  readonly selected: readonly Selected[];
  readonly input: WaveInput;
}

function inTheWay(
  wanted: { footprint: Footprint; resources: readonly string[] },
  { inFlight, reserved, selected, input }: Taken,
): DispatchRefusal | null {
  for (const kind of wanted.resources) {
    const holders = [
      ...inFlight.filter((slot) => slot.resources?.includes(kind)).map((slot) => slot.id),
      ...selected.filter((other) => other.resources.includes(kind)).map((other) => other.bead.id),
    ];
    const [first] = holders;
    if (first !== undefined && holders.length + 1 > (input.capacities?.[kind] ?? 1)) {
      return { code: "resource_at_capacity", resource: kind, by: first };
    }
  }
  for (const slot of inFlight) {
    if (conflicts(slot.footprint, wanted.footprint)) return { code: "conflict_in_flight", by: slot.id };
  }
  for (const starving of reserved) {
    if (conflicts(starving.footprint, wanted.footprint)) return { code: "reserved", by: starving.id };
  }
  for (const other of selected) {
    if (conflicts(other.footprint, wanted.footprint)) return { code: "conflict", by: other.bead.id };
  }
  return null;
}

/** The audit's width, each bead compared with every bead that has a place already. */
export function plainParallelWidth(
  beads: readonly Bead[],
  areaMap: AreaMap,
): { current: number; potential: number } {
  const containers = containersOf(beads);
  const open = beads.filter((bead) => !isClosed(bead));
  const willEnd = plainEndings(beads);
  const eligible = open
    .filter((bead) => willEnd.has(bead.id) && ineligible(bead, { ...nobody, containers }) === null)
    .sort((a, b) => a.priority - b.priority)
    .map((bead) => ({ id: bead.id, footprint: footprintOf(bead.labels, areaMap) }));
  const areOrdered = plainOrder(open);
  return {
    current: packed(eligible, areOrdered),
    potential: packed(eligible.map(withOwnToken), areOrdered),
  };
}

/** Beads that can be finished one day: those all of whose blockers can. */
function plainEndings(beads: readonly Bead[]): Set<string> {
  const ends = new Set<string>(beads.filter(isClosed).map(({ id }) => id));
  for (let before = -1; before < ends.size; ) {
    before = ends.size;
    for (const { id, blockers } of beads) if (blockers.every((blocker) => ends.has(blocker))) ends.add(id);
  }
  return ends;
}

function packed(beads: readonly Held[], areOrdered: (a: string, b: string) => boolean): number {
  const placed: Held[] = [];
  for (const bead of beads) {
    const free = placed.every(
      (other) => !conflicts(other.footprint, bead.footprint) && !areOrdered(other.id, bead.id),
    );
    if (free) placed.push(bead);
  }
  return placed.length;
}

function withOwnToken({ id, footprint }: Held): Held {
  const unlabeled = footprint.reads.length === 0 && footprint.writes.join() === UNKNOWN_TOKEN;
  return { id, footprint: unlabeled ? { reads: [], writes: [`nobody else's: ${id}`] } : footprint };
}

/** Every pair of workable open beads that conflicts and is not ordered, by id. */
export function plainConflictingPairs(beads: readonly Bead[], areaMap: AreaMap): ConflictPair[] {
  const containers = containersOf(beads);
  const open = beads.filter((bead) => !isClosed(bead));
  const areOrdered = plainOrder(open);
  const workable = open
    .filter((bead) => ineligible(bead, nobody)?.bucket !== "skipped" && !containers.has(bead.id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((bead) => ({ id: bead.id, footprint: footprintOf(bead.labels, areaMap) }));
  return workable.flatMap((a, index) =>
    workable
      .slice(index + 1)
      .filter((b) => conflicts(a.footprint, b.footprint) && !areOrdered(a.id, b.id))
      .map((b) => ({ a: a.id, b: b.id, ...meeting(a.footprint, b.footprint) })),
  );
}

function meeting(a: Footprint, b: Footprint): { tokens: string[]; mode: ConflictMode } {
  const shared = [...a.reads, ...a.writes].filter((token) => [...b.reads, ...b.writes].includes(token));
  const writers = (token: string) => Number(a.writes.includes(token)) + Number(b.writes.includes(token));
  const tokens = shared.filter((token) => writers(token) > 0).sort();
  const counts = new Set(tokens.map(writers));
  return { tokens, mode: counts.size === 2 ? "mixed" : counts.has(2) ? "write-write" : "write-read" };
}

/** Whether one of two open beads waits for the other, found by walking from each. */
export function plainOrder(open: readonly Bead[]): (a: string, b: string) => boolean {
  const blockers = new Map<string, readonly string[]>(open.map((bead) => [bead.id, bead.blockers]));
  // Most beads have no edge at all, and even a plain version would notice.
  const linked = new Set<string>(
    open.flatMap((bead) => (bead.blockers.length > 0 ? [bead.id, ...bead.blockers] : [])),
  );
  const known = new Map<string, ReadonlySet<string>>();
  const before = (id: string): ReadonlySet<string> => {
    const found = known.get(id) ?? reachable(id, blockers);
    known.set(id, found);
    return found;
  };
  return (a, b) => linked.has(a) && linked.has(b) && (before(a).has(b) || before(b).has(a));
}

function reachable(start: string, blockers: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set<string>();
  const pending = [start];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const next of blockers.get(id) ?? []) {
      if (!blockers.has(next) || seen.has(next)) continue;
      seen.add(next);
      pending.push(next);
    }
  }
  return seen;
}
