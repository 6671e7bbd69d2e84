import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { admit } from "../../../src/core/govern/admit.js";
import { type AgentLease, leaseId } from "../../../src/core/govern/agent-lease.js";
import { advancePool, effectiveCap } from "../../../src/core/govern/effective-cap.js";
import { GovernorState } from "../../../src/core/govern/governor-state.js";
import { release } from "../../../src/core/govern/release.js";
import { HOUR, MINUTE, NOON, poolIn, request } from "../../support/core/governor.js";
import { machineOf, type Step, steps, type Taken, walk } from "../../support/core/governor-steps.js";

const SHARED = { projects: ["p", "q", "r"], pools: ["", "second", "static"] };
const LONELY = { projects: ["p"], pools: [""] };
const cap = fc.integer({ min: 1, max: 5 });
const DAY = 24 * HOUR;

/** The leases that a step took away, and the one that it gave to a bead that had none there. */
function changes({ before, after, admission }: Taken) {
  const kept = new Set(after.leases.map(leaseId));
  const had = (lease: AgentLease) =>
    before.leases.some(
      ({ project, bead, pool }) => project === lease.project && bead === lease.bead && pool === lease.pool,
    );
  const lost = before.leases.filter((lease) => !kept.has(leaseId(lease)));
  const granted = admission?.kind === "granted" ? admission.lease : null;
  return { lost, granted, fresh: granted !== null && !had(granted) ? granted : null };
}

function everyStep(claim: (taken: Taken) => void) {
  fc.assert(
    fc.property(steps(SHARED, { back: true }), cap, (story, places) => {
      for (const taken of walk(machineOf(SHARED, places), story)) claim(taken);
    }),
    { numRuns: 300 },
  );
}

describe("whatever happens, also when the clock is set back", () => {
  test("the state can be written down and read again", () => {
    everyStep(({ after }) => {
      expect(GovernorState.parse(JSON.parse(JSON.stringify(after)))).toEqual(after);
    });
  });

  test("a cap is within 1 and the hard maximum, and 0 only while the breaker is open", () => {
    everyStep(({ after, now }) => {
      for (const pool of after.pools) {
        const places = effectiveCap(pool, now);
        const isOpen = advancePool(pool, now).breaker.state === "open";
        expect(places).toBeGreaterThanOrEqual(isOpen ? 0 : 1);
        expect(places).toBeLessThanOrEqual(2 * pool.cap);
      }
    });
  });

  test("nobody is let in beyond the cap, the ceiling or the places of a resource", () => {
    everyStep((taken) => {
      const { after, now } = taken;
      const { fresh } = changes(taken);
      if (fresh === null) return;
      const here = after.leases.filter(({ pool }) => pool === fresh.pool);
      expect(here.length).toBeLessThanOrEqual(effectiveCap(poolIn(taken.before, fresh.pool), now));
      expect(after.leases.length).toBeLessThanOrEqual(after.ceiling);
      for (const kind of fresh.resources) {
        const holders = after.leases.filter(({ resources }) => resources.includes(kind));
        expect(holders.length).toBeLessThanOrEqual(kind === "gpu" ? 2 : 1);
      }
    });
  });

  test("a bead has one lease at most, and asking for it never takes the count beyond what it was", () => {
    everyStep((taken) => {
      const { before, after } = taken;
      const beads = after.leases.map(({ project, bead }) => `${project}/${bead}`);
      expect(new Set(beads).size).toBe(beads.length);
      if (changes(taken).fresh === null)
        expect(after.leases.length).toBeLessThanOrEqual(before.leases.length);
    });
  });

  test("a lease is lost only to its end, its age, or a later one of its bead", () => {
    everyStep((taken) => {
      const { given, dead, now } = taken;
      const { lost, granted } = changes(taken);
      for (const lease of lost) {
        const wasGiven = given.some(({ project, bead }) => project === lease.project && bead === lease.bead);
        const isReplaced = granted?.project === lease.project && granted.bead === lease.bead;
        const isOld = now - lease.grantedAt >= DAY;
        expect(wasGiven || isReplaced || isOld || dead.has(leaseId(lease))).toBe(true);
      }
    });
  });

  test("a pool has one probe at most, which has a lease, and nobody else is let in beside it", () => {
    everyStep((taken) => {
      for (const { pool, breaker } of taken.after.pools) {
        if (breaker.state !== "half-open" || breaker.probe === null) continue;
        const { project, bead } = breaker.probe;
        const here = taken.after.leases.filter((lease) => lease.pool === pool);
        expect(here.filter((lease) => lease.project === project && lease.bead === bead)).toHaveLength(1);
        const { fresh } = changes(taken);
        if (fresh?.pool === pool) expect(fresh).toMatchObject({ project, bead });
      }
    });
  });

  test("the same steps come to the same", () => {
    fc.assert(
      fc.property(steps(SHARED, { back: true }), cap, (story, places) => {
        expect(walk(machineOf(SHARED, places), story)).toEqual(walk(machineOf(SHARED, places), story));
      }),
    );
  });

  test("everybody gets a place in the end, once nobody holds one", () => {
    const shift = fc.integer({ min: -30 * DAY, max: DAY });
    fc.assert(
      fc.property(
        steps(SHARED, { back: true }),
        cap,
        shift,
        fc.constantFrom(...SHARED.pools),
        (story, places, to, pool) => {
          let state = walk(machineOf(SHARED, places), story).at(-1)?.after ?? machineOf(SHARED, places);
          for (const lease of state.leases) state = release(state, lease, "failed", NOON + to);
          // Longer than a breaker is ever open, with every look ten minutes after the last.
          for (let asked = 0; asked < 8; asked++) {
            const now = NOON + to + asked * 10 * MINUTE;
            const admission = admit(state, request({ bead: "patient", pool }), now);
            if (admission.kind === "granted") return;
            state = admission.state;
          }
          expect.unreachable("an hour of asking was not enough");
        },
      ),
      { numRuns: 300 },
    );
  });
});

test("a clock that is set back lets nobody in who would not have been", () => {
  const story = (places: number, taken: readonly Step[]) =>
    walk(machineOf(LONELY, places), taken).at(-1) ?? { after: machineOf(LONELY, places), now: NOON };
  const asks = fc.record({
    resources: fc.subarray(["port", "gpu"]),
    availableMb: fc.option(fc.nat({ max: 16_000 })),
    totalMb: fc.constant(16_000),
  });
  fc.assert(
    fc.property(
      steps(LONELY, { back: false }),
      cap,
      asks,
      fc.nat({ max: 2 * DAY }),
      (taken, places, wish, back) => {
        const { after, now } = story(places, taken);
        const fresh = request({ bead: "new", ...wish });
        if (admit(after, fresh, now - back).kind === "granted")
          expect(admit(after, fresh, now).kind).toBe("granted");
      },
    ),
    { numRuns: 500 },
  );
});
