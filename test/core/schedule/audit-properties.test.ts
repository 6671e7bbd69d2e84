import fc from "fast-check";
import { expect, test } from "vitest";
import { auditPlan } from "../../../src/core/schedule/audit-plan.js";
import { buildWave } from "../../../src/core/schedule/build-wave.js";
import { AREAS, bead, ids, plainFrontiers, workGraphs } from "../../support/core/beads.js";
import { plainConflictingPairs, plainParallelWidth } from "../../support/core/plain-schedule.js";
import { LONG } from "../../support/long.js";

test("on a plain frontier the current width is what an uncapped wave packs", () => {
  fc.assert(
    fc.property(plainFrontiers, (frontier) => {
      const { parallelWidth } = auditPlan({ beads: frontier, areaMap: AREAS });
      expect(parallelWidth.current).toBe(buildWave({ frontier, areaMap: AREAS }).selected.length);
    }),
  );
});

test("the potential width is never below the current one on a plain frontier", () => {
  fc.assert(
    fc.property(plainFrontiers, (frontier) => {
      const { current, potential } = auditPlan({ beads: frontier, areaMap: AREAS }).parallelWidth;
      expect(potential).toBeGreaterThanOrEqual(current);
    }),
  );
});

test("both widths equal those found by comparing all with all, dependencies and circles included", () => {
  fc.assert(
    fc.property(workGraphs, (beads) => {
      expect(auditPlan({ beads, areaMap: AREAS }).parallelWidth).toEqual(plainParallelWidth(beads, AREAS));
    }),
    { numRuns: LONG ? 500 : 100 },
  );
});

test("the total counts each unordered pair that conflicts once, circles included", () => {
  fc.assert(
    fc.property(workGraphs, (beads) => {
      const { conflicts } = auditPlan({ beads, areaMap: AREAS, pairLimit: 0 });
      expect(conflicts?.total).toBe(plainConflictingPairs(beads, AREAS).length);
    }),
    { numRuns: LONG ? 500 : 100 },
  );
});

test("the listed pairs are the first ones by id, with their tokens and mode", () => {
  fc.assert(
    fc.property(workGraphs, fc.nat(30), (beads, pairLimit) => {
      const { conflicts } = auditPlan({ beads, areaMap: AREAS, pairLimit });
      expect(conflicts?.listed).toEqual(plainConflictingPairs(beads, AREAS).slice(0, pairLimit));
    }),
    { numRuns: LONG ? 500 : 100 },
  );
});

test("the order of a bead's labels changes nothing but the order in which warnings repeat them", () => {
  fc.assert(
    fc.property(workGraphs, (beads) => {
      const turned = beads.map((item) => ({ ...item, labels: item.labels.toReversed() }));
      const { warnings: _, open, ...plain } = auditPlan({ beads, areaMap: AREAS });
      const { warnings: __, open: turnedOpen, ...other } = auditPlan({ beads: turned, areaMap: AREAS });
      expect(other).toEqual(plain);
      expect(ids(turnedOpen)).toEqual(ids(open));
    }),
  );
});

test.each([{ tokens: 1 }, { tokens: 4 }])(
  "with $tokens tokens per bead the width costs one look-up per token and width, however many beads fit",
  ({ tokens }) => {
    const beads = Array.from({ length: 5000 }, (_, n) =>
      bead({ id: `b-${n}`, labels: Array.from({ length: tokens }, (__, t) => `fp:${n}-${t}`) }),
    );
    const audit = auditPlan({ beads, areaMap: {}, pairLimit: null });
    expect(audit.parallelWidth.current).toBe(5000);
    expect(audit.lookups).toBeLessThanOrEqual(2 * 5000 * tokens);
    expect(audit.lookups).toBeGreaterThanOrEqual(5000 * tokens);
  },
);
