import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CalibrationRefusal,
  calibrate,
  QuotaCalibration,
  UNCALIBRATED,
  withCeiling,
} from "../../../src/core/govern/calibrate.js";
import { type Preflight, preflight } from "../../../src/core/govern/preflight.js";
import {
  QUOTA_LADDER,
  QuotaLadder,
  type QuotaStanding,
  quotaLevel,
  type WindowUsage,
} from "../../../src/core/govern/quota-level.js";
import { scaledWidth } from "../../../src/core/govern/scaled-width.js";

/** A window that holds 100 USD. */
const spent = (spentUsd: number | null, ceilingUsd: number | null = 100): WindowUsage => ({
  ceilingUsd,
  spentUsd,
});
const unknown = spent(50, null);

describe("the level", () => {
  test.each<{ name: string; fiveHour?: WindowUsage; weekly?: WindowUsage; expected: Partial<QuotaStanding> }>(
    [
      { name: "nothing spent is fine", expected: { level: "ok", calibrated: true, fraction: 0 } },
      { name: "below four fifths is fine", fiveHour: spent(79.9), expected: { level: "ok" } },
      { name: "at four fifths it warns", fiveHour: spent(80), expected: { level: "warn" } },
      { name: "at nine tenths nothing more begins", fiveHour: spent(90), expected: { level: "drain" } },
      { name: "soon after everything stops", fiveHour: spent(95), expected: { level: "stop" } },
      { name: "beyond the ceiling too", fiveHour: spent(250), expected: { level: "stop", fraction: 2.5 } },
      {
        name: "the worse window decides",
        fiveHour: spent(10),
        weekly: spent(92),
        expected: { level: "drain", window: "weekly", fraction: 0.92 },
      },
      {
        name: "whichever it is",
        fiveHour: spent(92),
        weekly: spent(10),
        expected: { level: "drain", window: "fiveHour", fraction: 0.92 },
      },
      {
        name: "of equals the shorter is named",
        fiveHour: spent(9),
        weekly: spent(9),
        expected: { window: "fiveHour" },
      },
      {
        name: "what cannot be measured counts as spent",
        fiveHour: spent(1),
        weekly: spent(null),
        expected: { level: "stop", window: "weekly", fraction: 1 },
      },
      {
        name: "a window that nobody has calibrated is left out",
        fiveHour: spent(85),
        weekly: unknown,
        expected: { level: "warn", window: "fiveHour", calibrated: true },
      },
      {
        name: "even if it cannot be measured",
        fiveHour: spent(1),
        weekly: spent(null, null),
        expected: { level: "ok", window: "fiveHour" },
      },
      {
        name: "without any the level says nothing",
        fiveHour: unknown,
        weekly: spent(null, null),
        expected: { level: "ok", calibrated: false, window: null, fraction: null },
      },
      {
        name: "a ceiling of nothing is spent",
        fiveHour: spent(0, 0),
        expected: { level: "stop", fraction: 1 },
      },
      { name: "a negative sum is none", fiveHour: spent(-5), expected: { level: "ok", fraction: 0 } },
      {
        name: "what is no number is spent",
        fiveHour: spent(Number.NaN),
        expected: { level: "stop", fraction: 1 },
      },
    ],
  )("$name", ({ fiveHour = spent(0), weekly = spent(0), expected }) => {
    expect(quotaLevel({ fiveHour, weekly })).toMatchObject(expected);
  });

  test("a ladder of one's own holds", () => {
    const ladder = { warn: 0.1, drain: 0.2, stop: 0.3 };
    expect(quotaLevel({ fiveHour: spent(20), weekly: spent(0) }, ladder).level).toBe("drain");
  });
});

describe("a ladder", () => {
  test.each([QUOTA_LADDER, { warn: 0.001, drain: 0.5, stop: 1 }])("of %j can be set", (ladder) => {
    expect(QuotaLadder.parse(ladder)).toEqual(ladder);
  });

  const ascends = "warn, drain and stop must ascend: 0 < warn < drain < stop <= 1";

  test.each<{ name: string; given: object; message: string }>([
    { name: "begins above 0", given: { warn: 0 }, message: ascends },
    { name: "ends at 1", given: { stop: 1.01 }, message: ascends },
    { name: "has no two rungs at one height", given: { drain: 0.95 }, message: ascends },
    { name: "not even at the bottom", given: { warn: 0.9 }, message: ascends },
    { name: "does not go down", given: { warn: 0.92 }, message: ascends },
    { name: "is made of numbers", given: { warn: "0.8" }, message: "a number above 0 and at most 1" },
    { name: "has every rung", given: { drain: undefined }, message: "a number above 0 and at most 1" },
    { name: "has no other rung", given: { pause: 0.85 }, message: 'Unrecognized key: "pause"' },
  ])("$name", ({ given, message }) => {
    const issues = QuotaLadder.safeParse({ ...QUOTA_LADDER, ...given }).error?.issues;
    expect(issues?.map((issue) => issue.message)).toEqual([message]);
  });
});

describe("the width", () => {
  test.each([
    { fraction: null, width: 8, expected: 8 },
    { fraction: 0, width: 8, expected: 8 },
    { fraction: 0.8, width: 8, expected: 8 },
    { fraction: 0.81, width: 8, expected: 7 },
    { fraction: 0.86, width: 8, expected: 4 },
    { fraction: 0.899, width: 8, expected: 1 },
    { fraction: 0.85, width: 1, expected: 1 },
    { fraction: 0.9, width: 8, expected: 0 },
    { fraction: 1.5, width: 8, expected: 0 },
    { fraction: 0.85, width: 0, expected: 0 },
    { fraction: Number.NaN, width: 8, expected: 0 },
  ])("at $fraction of the quota $width agents become $expected", ({ fraction, width, expected }) => {
    expect(scaledWidth(fraction, width)).toBe(expected);
  });

  test("only falls as the account fills up, and is 0 where the level lets nothing begin", () => {
    const fraction = fc.double({ min: 0, max: 2, noNaN: true });
    fc.assert(
      fc.property(fraction, fraction, fc.integer({ min: 1, max: 50 }), (one, other, width) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(scaledWidth(more, width)).toBeLessThanOrEqual(scaledWidth(less, width));
        const { level } = quotaLevel({ fiveHour: spent(more, 1), weekly: unknown });
        expect(scaledWidth(more, width) === 0).toBe(level === "drain" || level === "stop");
      }),
    );
  });
});

describe("the preflight", () => {
  test.each<{ name: string; fiveHour: WindowUsage; estimateUsd: number; expected: Preflight }>([
    {
      name: "says what it would come to",
      fiveHour: spent(50),
      estimateUsd: 35,
      expected: { kind: "passes", fraction: 0.85, level: "warn" },
    },
    {
      name: "lets what begins before the drain end after it",
      fiveHour: spent(50),
      estimateUsd: 44,
      expected: { kind: "passes", fraction: 0.94, level: "drain" },
    },
    {
      name: "refuses what would reach the stop",
      fiveHour: spent(50),
      estimateUsd: 45,
      expected: {
        kind: "refused",
        why: { code: "quota_exceeded", fraction: 0.95, spentUsd: 50, estimateUsd: 45, ceilingUsd: 100 },
      },
    },
    {
      name: "passes where nobody has calibrated it",
      fiveHour: spent(null, null),
      estimateUsd: 1e9,
      expected: { kind: "passes", fraction: null, level: null },
    },
    {
      name: "refuses what cannot be measured",
      fiveHour: spent(null),
      estimateUsd: 0,
      expected: { kind: "refused", why: { code: "quota_unmeasured", ceilingUsd: 100 } },
    },
    {
      name: "refuses an estimate that is no number",
      fiveHour: spent(0),
      estimateUsd: Number.NaN,
      expected: {
        kind: "refused",
        why: {
          code: "quota_exceeded",
          fraction: Number.NaN,
          spentUsd: 0,
          estimateUsd: Number.NaN,
          ceilingUsd: 100,
        },
      },
    },
  ])("$name", ({ fiveHour, estimateUsd, expected }) => {
    expect(preflight({ fiveHour }, estimateUsd)).toEqual(expected);
  });
});

describe("calibration", () => {
  test.each<{
    name: string;
    usd: number;
    percent: number;
    expected: { ceilingUsd: number } | { code: CalibrationRefusal };
  }>([
    { name: "12 USD at 40 % are 30", usd: 12, percent: 40, expected: { ceilingUsd: 30 } },
    {
      name: "100 % are what was spent",
      usd: 12,
      percent: 100,
      expected: { ceilingUsd: 12 },
    },
    { name: "nothing spent shows nothing", usd: 0, percent: 40, expected: { code: "usd_not_positive" } },
    { name: "nor does less", usd: -1, percent: 40, expected: { code: "usd_not_positive" } },
    { name: "nor what is no number", usd: Number.NaN, percent: 40, expected: { code: "usd_not_positive" } },
    { name: "0 % show nothing", usd: 12, percent: 0, expected: { code: "percent_not_positive" } },
    { name: "nor do less", usd: 12, percent: -3, expected: { code: "percent_not_positive" } },
    { name: "more than 100 % are no part", usd: 12, percent: 100.1, expected: { code: "percent_above_100" } },
    { name: "a ceiling is a number", usd: 1e300, percent: 1e-300, expected: { code: "ceiling_not_finite" } },
  ])("$name", ({ usd, percent, expected }) => {
    const kind = "code" in expected ? { kind: "refused" } : { kind: "calibrated", window: "weekly" };
    expect(calibrate("weekly", usd, percent)).toEqual({ ...kind, ...expected });
  });

  test("of one window is kept beside what is known of the other", () => {
    const found = calibrate("weekly", 12, 40);
    if (found.kind === "refused") expect.unreachable();
    else
      expect(QuotaCalibration.parse(withCeiling(UNCALIBRATED, found))).toEqual({
        ...UNCALIBRATED,
        weekly: 30,
      });
  });

  test("of one window never makes the other one a stop", () => {
    const usd = fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }));
    const observed = fc.double({ min: 0.01, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom("fiveHour", "weekly"), observed, usd, (window, observedUsd, other) => {
        // The account is at a tenth of the window that was calibrated.
        const found = calibrate(window, observedUsd, 10);
        if (found.kind === "refused") return expect.unreachable();
        const ceilings = withCeiling(UNCALIBRATED, found);
        const seen = (each: typeof window) => spent(each === window ? observedUsd : other, ceilings[each]);
        const standing = quotaLevel({ fiveHour: seen("fiveHour"), weekly: seen("weekly") });
        expect(standing).toMatchObject({ level: "ok", window });
      }),
    );
  });
});
