import { describe, expect, test } from "vitest";
import type { Breaker } from "../../../src/core/govern/breaker.js";
import { effectiveCap } from "../../../src/core/govern/effective-cap.js";
import { type GovernorState, NEW_GOVERNOR } from "../../../src/core/govern/governor-state.js";
import type { PoolState } from "../../../src/core/govern/pool-state.js";
import { reportRateLimit } from "../../../src/core/govern/report-rate-limit.js";
import { adaptivePool, governor, HOUR, MINUTE, NOON, poolIn, SECOND } from "../../support/core/governor.js";

interface Told {
  /** Since noon. */
  readonly at: number;
  readonly project?: string;
  readonly bead?: string;
}

function told(state: GovernorState, ...reports: readonly Told[]): GovernorState {
  return reports.reduce(
    (now, { at, project = "p", bead = "b-1" }) =>
      reportRateLimit(now, { pool: "", project, bead }, NOON + at),
    state,
  );
}

const starting = (given: Partial<PoolState> = {}) => governor({ pools: [adaptivePool(given)] });

describe("the cap", () => {
  test.each<{ name: string; given?: Partial<PoolState>; reports: Told[]; cap: number }>([
    { name: "one report halves it", reports: [{ at: 0 }], cap: 4 },
    { name: "half of an odd cap is rounded down", given: { cap: 5 }, reports: [{ at: 0 }], cap: 2 },
    { name: "what it has grown by is halved too", reports: [{ at: 10 * MINUTE }], cap: 5 },
    {
      name: "while it settles nothing moves it",
      reports: [{ at: 0 }, { at: 1 }, { at: 2 * MINUTE - 1 }],
      cap: 4,
    },
    { name: "afterwards the next report does", reports: [{ at: 0 }, { at: 2 * MINUTE }], cap: 2 },
    {
      name: "three agents within half a minute quarter it",
      given: { changedAt: NOON - MINUTE },
      reports: [
        { at: 40 * SECOND, bead: "b-1" },
        { at: 50 * SECOND, bead: "b-2" },
        { at: 70 * SECOND, bead: "b-3" },
      ],
      cap: 2,
    },
    {
      name: "agents of different projects are different agents",
      given: { changedAt: NOON - MINUTE },
      reports: [
        { at: 40 * SECOND, project: "p" },
        { at: 50 * SECOND, project: "q" },
        { at: 60 * SECOND, project: "r" },
      ],
      cap: 2,
    },
    {
      name: "one agent that reports thrice is one",
      given: { changedAt: NOON - MINUTE },
      reports: [{ at: 40 * SECOND }, { at: 50 * SECOND }, { at: 60 * SECOND }],
      cap: 4,
    },
    {
      name: "what is longer ago than half a minute does not count",
      given: { changedAt: NOON - MINUTE },
      reports: [
        { at: 40 * SECOND - 1, bead: "b-1" },
        { at: 50 * SECOND, bead: "b-2" },
        { at: 70 * SECOND, bead: "b-3" },
      ],
      cap: 4,
    },
    {
      name: "a quarter is at least 1",
      given: { cap: 3, changedAt: NOON - MINUTE },
      reports: [
        { at: 58 * SECOND, bead: "b-1" },
        { at: 59 * SECOND, bead: "b-2" },
        { at: 60 * SECOND, bead: "b-3" },
      ],
      cap: 1,
    },
    {
      name: "a pool that is not adaptive keeps it",
      given: { adaptive: false },
      reports: [{ at: 0 }],
      cap: 8,
    },
  ])("$name", ({ given, reports, cap }) => {
    const state = told(starting(given), ...reports);
    expect(effectiveCap(poolIn(state), NOON + (reports.at(-1)?.at ?? 0))).toBe(cap);
  });

  test.each([true, false])("every report counts (adaptive: %s)", (adaptive) => {
    const state = told(starting({ adaptive }), { at: 0 }, { at: 1 }, { at: 5 * MINUTE });
    expect(poolIn(state).reportCount).toBe(3);
  });

  test("a pool that nobody has set up is counted for", () => {
    expect(poolIn(told(NEW_GOVERNOR, { at: 0 }))).toMatchObject({ adaptive: false, cap: 8, reportCount: 1 });
  });

  test("other pools do not hear of it", () => {
    const other = adaptivePool({ pool: "second" });
    const state = told(governor({ pools: [other, adaptivePool()] }), { at: 0 });
    expect(poolIn(state, "second")).toEqual(other);
  });
});

describe("the breaker", () => {
  const open = (at: number, times = 1): Breaker => ({ state: "open", since: NOON + at, times });
  const probed = (times = 1): Breaker => ({
    state: "half-open",
    times,
    probe: { project: "p", bead: "b-1", since: NOON },
  });

  test.each<{ name: string; given?: Partial<PoolState>; reports: Told[]; breaker: Breaker }>([
    { name: "one report at cap 1 opens it", given: { cap: 1 }, reports: [{ at: 0 }], breaker: open(0) },
    {
      name: "though not while the cap settles",
      given: { cap: 2 },
      reports: [{ at: 0 }, { at: MINUTE }],
      breaker: { state: "closed" },
    },
    {
      name: "two decreases do not",
      reports: [{ at: 0 }, { at: 2 * MINUTE }],
      breaker: { state: "closed" },
    },
    {
      name: "the third within ten minutes does",
      given: { cap: 16 },
      reports: [{ at: 0 }, { at: 2 * MINUTE }, { at: 10 * MINUTE }],
      breaker: open(10 * MINUTE),
    },
    {
      name: "the third later does not",
      given: { cap: 16 },
      reports: [{ at: 0 }, { at: 2 * MINUTE }, { at: 10 * MINUTE + 1 }],
      breaker: { state: "closed" },
    },
    {
      name: "open, it hears nothing",
      given: { breaker: open(0) },
      reports: [{ at: MINUTE }],
      breaker: open(0),
    },
    {
      name: "half-open without a probe neither",
      given: { breaker: open(0) },
      reports: [{ at: 5 * MINUTE }],
      breaker: { state: "half-open", times: 1, probe: null },
    },
    {
      name: "the probe's own report opens it again, for longer",
      given: { breaker: probed() },
      reports: [{ at: MINUTE }],
      breaker: open(MINUTE, 2),
    },
    {
      name: "so does one of its project without a bead",
      given: { breaker: probed(3) },
      reports: [{ at: MINUTE, bead: "" }],
      breaker: open(MINUTE, 4),
    },
    {
      name: "one of an older agent does not",
      given: { breaker: probed() },
      reports: [{ at: MINUTE, bead: "b-2" }],
      breaker: probed(),
    },
    {
      name: "a report after its silence comes too late to count",
      given: { breaker: probed() },
      reports: [{ at: 31 * MINUTE }],
      breaker: open(30 * MINUTE, 2),
    },
    {
      name: "a clock that was set back makes it wait anew",
      given: { breaker: open(0) },
      reports: [{ at: -HOUR }],
      breaker: open(-HOUR),
    },
  ])("$name", ({ given, reports, breaker }) => {
    expect(poolIn(told(starting(given), ...reports)).breaker).toEqual(breaker);
  });
});
