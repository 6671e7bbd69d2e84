import fc from "fast-check";
import { expect, test } from "vitest";
import { buildWave, type InFlight, type Wave } from "../../../src/core/schedule/build-wave.js";
import { conflicts } from "../../../src/core/schedule/conflict.js";
import { AREAS, bead, footprintLabels, ids, waveInputs } from "../../support/core/beads.js";
import { plainBuildWave } from "../../support/core/plain-schedule.js";

test("no two beads of a wave conflict, nor does one with a bead in flight", () => {
  fc.assert(
    fc.property(waveInputs, (input) => {
      const { selected } = buildWave(input);
      const running = [...selected, ...(input.inFlight ?? [])];
      selected.forEach((item, index) => {
        for (const other of running.slice(index + 1))
          expect(conflicts(item.footprint, other.footprint)).toBe(false);
      });
    }),
  );
});

test("every ready bead is selected, deferred or skipped exactly once", () => {
  fc.assert(
    fc.property(waveInputs, (input) => {
      const { selected, deferred, skipped } = buildWave(input);
      const placed = ids([...selected, ...deferred, ...skipped].map((item) => item.bead));
      expect(placed.sort()).toEqual(ids(input.frontier).sort());
    }),
  );
});

test("a wave is never wider than asked for and never holds more of a resource than there is", () => {
  fc.assert(
    fc.property(waveInputs, (input) => {
      const { selected } = buildWave(input);
      expect(selected.length).toBeLessThanOrEqual(input.width ?? Number.POSITIVE_INFINITY);
      for (const kind of ["gpu", "port"]) {
        const holds = ({ resources }: { resources?: readonly string[] }) =>
          resources?.includes(kind) ?? false;
        const added = selected.filter(holds).length;
        const held = (input.inFlight ?? []).filter(holds).length;
        if (added > 0) expect(held + added).toBeLessThanOrEqual(input.capacities?.[kind] ?? 1);
      }
    }),
  );
});

test("the indexed wave equals the plain one, counts and reasons included", () => {
  fc.assert(
    fc.property(waveInputs, (input) => {
      const { lookups: _, ...wave } = buildWave(input);
      expect(wave).toEqual(plainBuildWave(input));
    }),
    { numRuns: 500 },
  );
});

function decided({ selected, deferred, skipped, deferrals }: Wave) {
  return {
    selected: selected.map(({ bead: { id }, ...rest }) => ({ id, ...rest })),
    refused: [deferred, skipped].map((bucket) =>
      bucket.map(({ bead: { id }, ...refusal }) => ({ id, ...refusal })),
    ),
    deferrals,
  };
}

test("the order of a bead's labels changes nothing about a wave", () => {
  fc.assert(
    fc.property(waveInputs, (input) => {
      const turned = input.frontier.map((item) => ({ ...item, labels: item.labels.toReversed() }));
      expect(decided(buildWave({ ...input, frontier: turned }))).toEqual(decided(buildWave(input)));
    }),
  );
});

test("a bead runs in the end although rivals of lower priority keep coming", () => {
  const rival = fc.record({ labels: footprintLabels, rounds: fc.integer({ min: 1, max: 4 }) });
  const stream = fc.array(fc.array(rival, { maxLength: 4 }), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(footprintLabels, stream, (labels, rounds) => {
      const patient = bead({ id: "patient", labels, priority: 2 });
      let running: { slot: InFlight; until: number }[] = [];
      let deferrals: Readonly<Record<string, number>> = {};
      const ranIn = rounds.findIndex((rivals, round) => {
        running = running.filter(({ until }) => until > round);
        const arrivals = rivals.map((item, index) =>
          bead({ id: `r-${round}-${index}`, labels: item.labels, priority: 3 }),
        );
        const wave = buildWave({
          // In the first round the rivals are alone, so that the bead meets a stream under way.
          frontier: round === 0 ? arrivals : [...arrivals, patient],
          areaMap: AREAS,
          inFlight: running.map(({ slot }) => slot),
          deferrals,
        });
        deferrals = wave.deferrals;
        for (const { bead: picked, footprint } of wave.selected) {
          const lasts = rivals[arrivals.indexOf(picked)]?.rounds ?? 1;
          running.push({ slot: { id: picked.id, footprint }, until: round + lasts });
        }
        return wave.selected.some((item) => item.bead === patient);
      });
      // Five deferrals, then at most the three rounds the last rivals still need.
      expect(ranIn).toBeGreaterThan(0);
      expect(ranIn).toBeLessThanOrEqual(9);
    }),
  );
});

test.each([
  { tokens: 1, beads: 5000 },
  { tokens: 4, beads: 5000 },
])(
  "$beads beads with $tokens tokens each cost three look-ups per token, however many are selected",
  (size) => {
    const frontier = Array.from({ length: size.beads }, (_, n) =>
      bead({ id: `b-${n}`, labels: Array.from({ length: size.tokens }, (__, t) => `fp:${n}-${t}`) }),
    );
    const wave = buildWave({ frontier, areaMap: {} });
    expect(wave.selected).toHaveLength(size.beads);
    expect(wave.lookups).toBeLessThanOrEqual(3 * size.beads * size.tokens);
    expect(wave.lookups).toBeGreaterThanOrEqual(size.beads * size.tokens);
  },
);

test("ten times the beads in flight cost no look-up more", () => {
  const frontier = Array.from({ length: 500 }, (_, n) =>
    bead({ id: `b-${n}`, labels: [`fp:${n}`, "fp:read:all"] }),
  );
  const cost = (slots: number) =>
    buildWave({
      frontier,
      areaMap: {},
      inFlight: Array.from({ length: slots }, (_, n) => ({
        id: `f-${n}`,
        footprint: { reads: ["all"], writes: [`elsewhere-${n}`] },
      })),
    }).lookups;
  expect(cost(1000)).toBe(cost(100));
});
