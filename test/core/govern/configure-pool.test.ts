import { describe, expect, test } from "vitest";
import { configurePool, type PoolChoice } from "../../../src/core/govern/configure-pool.js";
import { effectiveCap } from "../../../src/core/govern/effective-cap.js";
import { NEW_GOVERNOR } from "../../../src/core/govern/governor-state.js";
import type { PoolState } from "../../../src/core/govern/pool-state.js";
import { adaptivePool, governor, MINUTE, NOON, poolIn } from "../../support/core/governor.js";

const choice: PoolChoice = { pool: "second", adaptive: true, cap: null, seededCap: null, hardMax: null };

describe("the cap of a pool", () => {
  const usual = governor({ pools: [adaptivePool({ cap: 5 })] });

  test.each<{ name: string; state?: typeof usual; given: Partial<PoolChoice>; cap: number }>([
    { name: "is what a person set", given: { cap: 3, seededCap: 4 }, cap: 3 },
    { name: "else what the account says", given: { seededCap: 4 }, cap: 4 },
    { name: "else the usual pool's", given: {}, cap: 5 },
    {
      name: "whichever pool came first",
      state: governor({ pools: [adaptivePool({ pool: "third", cap: 2 }), adaptivePool({ cap: 5 })] }),
      given: {},
      cap: 5,
    },
    { name: "else 8", state: NEW_GOVERNOR, given: {}, cap: 8 },
  ])("$name", ({ state = usual, given, cap }) => {
    expect(poolIn(configurePool(state, { ...choice, ...given }, NOON), "second").cap).toBe(cap);
  });
});

describe("a pool that is set up anew", () => {
  const open = { state: "open", since: NOON, times: 1 } as const;
  const later = NOON + MINUTE;
  const same: PoolChoice = { pool: "", adaptive: true, cap: 8, seededCap: null, hardMax: null };

  test.each<{ name: string; given?: Partial<PoolState>; chosen?: Partial<PoolChoice>; cap: number }>([
    { name: "keeps what was learned, while its cap stays", given: { adaptedCap: 2 }, cap: 2 },
    { name: "begins with another cap", given: { adaptedCap: 2 }, chosen: { cap: 6 }, cap: 6 },
    { name: "keeps an open breaker", given: { breaker: open }, chosen: { cap: 6 }, cap: 0 },
    {
      name: "has none when it is not adaptive",
      given: { breaker: open },
      chosen: { adaptive: false },
      cap: 8,
    },
    {
      name: "begins with its cap when it becomes adaptive",
      given: { adaptive: false, adaptedCap: 2, breaker: open },
      cap: 8,
    },
    { name: "keeps to a lower maximum at once", chosen: { hardMax: 4 }, cap: 4 },
  ])("$name", ({ given, chosen, cap }) => {
    const state = configurePool(governor({ pools: [adaptivePool(given)] }), { ...same, ...chosen }, later);
    expect(effectiveCap(poolIn(state), later)).toBe(cap);
  });
});
