import fc from "fast-check";
import { expect, test } from "vitest";
import { advancePool, effectiveCap } from "../../../src/core/govern/effective-cap.js";
import type { PoolState } from "../../../src/core/govern/pool-state.js";
import { adaptivePool, deepFreeze, HOUR, MINUTE, NOON } from "../../support/core/governor.js";

const open = { state: "open", since: NOON, times: 1 } as const;
const halfOpen = { state: "half-open", times: 1, probe: null } as const;

test.each<{ name: string; given: Partial<PoolState>; after?: number; cap: number }>([
  { name: "a pool begins with its cap", given: {}, cap: 8 },
  { name: "it stays for five minutes", given: {}, after: 5 * MINUTE - 1, cap: 8 },
  { name: "five quiet minutes make room for one more", given: {}, after: 5 * MINUTE, cap: 9 },
  { name: "and the next five for another", given: {}, after: 10 * MINUTE, cap: 10 },
  { name: "up to twice the cap", given: {}, after: 24 * HOUR, cap: 16 },
  { name: "or to the maximum that was set", given: { hardMax: 9 }, after: 24 * HOUR, cap: 9 },
  { name: "a maximum below the cap holds", given: { hardMax: 3 }, cap: 3 },
  {
    name: "growth counts from the last step",
    given: { steppedAt: NOON - 3 * MINUTE },
    after: 2 * MINUTE,
    cap: 9,
  },
  {
    name: "after a change it counts from the end of settling",
    given: { changedAt: NOON },
    after: 7 * MINUTE - 1,
    cap: 8,
  },
  { name: "which takes two minutes", given: { changedAt: NOON }, after: 7 * MINUTE, cap: 9 },
  {
    name: "a step after it counts instead",
    given: { changedAt: NOON - 10 * MINUTE },
    after: 5 * MINUTE - 1,
    cap: 8,
  },
  { name: "a pool that is not adaptive has its cap", given: { adaptive: false }, after: 24 * HOUR, cap: 8 },
  { name: "whatever it had learned", given: { adaptive: false, adaptedCap: 2, breaker: open }, cap: 8 },
  { name: "an open breaker leaves nothing", given: { breaker: open }, after: 5 * MINUTE - 1, cap: 0 },
  { name: "a half-open one leaves the probe", given: { breaker: open }, after: 5 * MINUTE, cap: 1 },
  { name: "without growth", given: { breaker: halfOpen }, after: HOUR, cap: 1 },
  { name: "a clock that was set back takes nothing away", given: { adaptedCap: 4 }, after: -HOUR, cap: 4 },
  { name: "nor opens what is open", given: { breaker: open }, after: -HOUR, cap: 0 },
])("$name", ({ given, after = 0, cap }) => {
  expect(effectiveCap(adaptivePool(given), NOON + after)).toBe(cap);
});

test("a pool that is not adaptive learns nothing", () => {
  const pool = adaptivePool({ adaptive: false });
  expect(advancePool(pool, NOON + HOUR)).toEqual(pool);
});

const offset = fc.integer({ min: -HOUR, max: 3 * HOUR });
const time = offset.map((ms) => NOON + ms);
const times = fc.integer({ min: 1, max: 12 });
const agent = { project: fc.constantFrom("p", "q"), bead: fc.constantFrom("b-1", "b-2") };
const breaker: fc.Arbitrary<PoolState["breaker"]> = fc.oneof(
  fc.constant({ state: "closed" } as const),
  fc.record({ state: fc.constant("open" as const), since: time, times }),
  fc.record({
    state: fc.constant("half-open" as const),
    times,
    probe: fc.option(fc.record({ ...agent, since: time })),
  }),
);
const anyPool = fc
  .record({
    adaptive: fc.boolean(),
    cap: fc.integer({ min: 1, max: 20 }),
    hardMax: fc.option(fc.integer({ min: 1, max: 40 })),
    adaptedCap: fc.integer({ min: 1, max: 40 }),
    steppedAt: time,
    changedAt: fc.option(time),
    breaker,
  })
  .map((given) => deepFreeze(adaptivePool(given)));

test("a cap is at least 1 and at most the hard maximum, but for an open breaker, which leaves 0", () => {
  fc.assert(
    fc.property(anyPool, time, (pool, now) => {
      const cap = effectiveCap(pool, now);
      const isOpen = pool.adaptive && advancePool(pool, now).breaker.state === "open";
      if (isOpen) return cap === 0;
      return cap >= 1 && cap <= (pool.hardMax ?? 2 * pool.cap);
    }),
  );
});

test("a look in between changes nothing", () => {
  fc.assert(
    fc.property(
      anyPool,
      time,
      fc.nat({ max: 3 * HOUR }),
      fc.nat({ max: 3 * HOUR }),
      (pool, from, first, second) => {
        const start = advancePool(pool, from);
        const between = advancePool(start, from + first);
        const now = from + first + second;
        expect(advancePool(between, now)).toEqual(advancePool(start, now));
      },
    ),
  );
});

test("an earlier hour never leaves more than a later one, while no breaker opens", () => {
  fc.assert(
    fc.property(anyPool, time, fc.nat({ max: 3 * HOUR }), (pool, now, back) => {
      const opensAgain = pool.breaker.state === "half-open" && pool.breaker.probe !== null;
      fc.pre(!opensAgain);
      expect(effectiveCap(pool, now - back)).toBeLessThanOrEqual(effectiveCap(pool, now));
    }),
  );
});
