import fc from "fast-check";
import { type Bead, type BeadId, parseBeadId } from "../../../src/core/model/bead.js";
import type { WaveInput } from "../../../src/core/schedule/build-wave.js";
import { type AreaMap, footprintOf } from "../../../src/core/schedule/footprint.js";

export interface BeadOverrides extends Partial<Omit<Bead, "id" | "parent" | "blockers">> {
  readonly id?: string;
  readonly parent?: string | null;
  readonly blockers?: readonly string[];
}

function beadId(text: string): BeadId {
  const id = parseBeadId(text);
  if (id === null) throw new Error(`${text} is no bead id`);
  return id;
}

/** An open, ready task that says nothing about what it touches. */
export function bead({ id = "b-1", parent = null, blockers = [], ...rest }: BeadOverrides = {}): Bead {
  return {
    title: "A title",
    description: "",
    acceptance: "",
    status: "open",
    assignee: "",
    priority: 2,
    type: "task",
    labels: [],
    ...rest,
    id: beadId(id),
    parent: parent === null ? null : beadId(parent),
    blockers: blockers.map(beadId),
  };
}

export function ids(beads: readonly { readonly id: string }[]): string[] {
  return beads.map(({ id }) => id);
}

/** Both spellings of a key, an area with several tokens, and tokens that `fp:` labels name too. */
export const AREAS: AreaMap = { api: ["t0", "schema"], docs: ["docs"], "area:ops": ["t1", "deploy"] };

/** Few enough tokens that beads often meet, enough that they often do not. */
const token = fc.constantFrom("t0", "t1", "t2", "t3", "t4", "t5", "t6", "schema", "docs");
const footprintLabel = fc.oneof(
  { weight: 4, arbitrary: token.map((name) => `fp:${name}`) },
  { weight: 3, arbitrary: token.map((name) => `fp:read:${name}`) },
  { weight: 2, arbitrary: fc.constantFrom("area:api", "area:docs", "area:ops", "area:nowhere") },
  { weight: 1, arbitrary: fc.constantFrom("fp:", "fp:read:", "good-first-issue") },
);
const otherLabel = fc.constantFrom(
  "no-dispatch",
  "refactor-core",
  "gt:merge",
  "gt:alpha",
  "res:gpu",
  "res:port",
  "res:NO",
);

export const footprintLabels = fc.array(footprintLabel, { maxLength: 4 });
const anyLabels = fc
  .tuple(footprintLabels, fc.array(otherLabel, { maxLength: 2 }), fc.boolean())
  .map(([footprint, others, plain]) => (plain ? footprint : [...others, ...footprint]));

export const footprint = footprintLabels.map((labels) => footprintOf(labels, AREAS));

/** Ready beads whose order by id, by priority and by position all differ. */
function frontiers(labels: fc.Arbitrary<string[]> = anyLabels, maxLength = 30): fc.Arbitrary<Bead[]> {
  return fc
    .uniqueArray(
      fc.record({
        n: fc.nat(99),
        priority: fc.integer({ min: 0, max: 3 }),
        type: fc.constantFrom("task", "task", "task", "bug", "epic"),
        labels,
      }),
      { selector: ({ n }) => n, maxLength },
    )
    .map((beads) => beads.map(({ n, ...rest }) => bead({ id: `b-${n}`, ...rest })));
}

/** Ready beads without dependencies, containers or resources, as wide open as a frontier can be. */
export const plainFrontiers = frontiers(footprintLabels);

/** Open and closed beads with parents and with dependencies in any direction, circles included. */
export const workGraphs: fc.Arbitrary<Bead[]> = frontiers(anyLabels, 18).chain((beads) => {
  const numbers = fc.integer({ min: 0, max: Math.max(0, beads.length - 1) });
  const links = fc.record({
    blockers: fc.uniqueArray(numbers, { maxLength: 2 }),
    parent: fc.option(numbers, { freq: 5 }),
    status: fc.constantFrom("open", "open", "open", "in_progress", "closed"),
  });
  return fc.array(links, { minLength: beads.length, maxLength: beads.length }).map((all) =>
    beads.map((base, index) => {
      const { blockers = [], parent = null, status = "open" } = all[index] ?? {};
      return {
        ...base,
        status,
        blockers: blockers.flatMap((at) => beads[at]?.id ?? []),
        parent: parent === null ? null : (beads[parent]?.id ?? null),
      };
    }),
  );
});

/** Everything `buildWave` takes, with frontier beads among those in flight, held back or starving. */
export const waveInputs: fc.Arbitrary<WaveInput> = frontiers().chain((frontier) => {
  const some = fc.subarray(ids(frontier));
  const slots = fc.uniqueArray(
    fc.record({
      id: fc.oneof(
        fc.nat(9).map((n) => `f-${n}`),
        fc.constantFrom("f-0", ...ids(frontier)),
      ),
      footprint,
      resources: fc.subarray(["gpu", "port"]),
    }),
    { selector: ({ id }) => id, maxLength: 4 },
  );
  return fc
    .record({
      width: fc.option(fc.nat(8)),
      inFlight: slots,
      capacities: fc.constantFrom({}, { gpu: 2 }, { gpu: 3, port: 2 }),
      containers: some,
      held: some,
      deferrals: fc.dictionary(fc.constantFrom("b-0", ...ids(frontier)), fc.nat(7)),
    })
    .map(({ width, containers, held, ...rest }) => ({
      frontier,
      areaMap: AREAS,
      ...(width === null ? {} : { width }),
      ...rest,
      containers: new Set(containers.slice(0, 3)),
      held: new Map(
        held.slice(0, 3).map((id) => [id, { code: "model_refused", reason: `no model for ${id}` } as const]),
      ),
    }));
});
