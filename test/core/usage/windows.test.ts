import { describe, expect, test } from "vitest";
import { readCcusage } from "../../../src/core/usage/read-ccusage.js";
import { windowSpending } from "../../../src/core/usage/window-spending.js";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-19T12:30:00.000Z");
const ago = (hours: number, usd = 1) => ({ key: null, at: NOW - hours * HOUR, usd });

describe("the five hours", () => {
  test.each([
    { name: "hold what was spent since they began", given: [ago(4), ago(1)], expected: 2 },
    { name: "begin at the full hour, and so are over at one", given: [ago(4.9)], expected: 0 },
    {
      name: "begin anew with the first use after the last were over",
      given: [ago(7), ago(3), ago(1.9)],
      expected: 1,
    },
    { name: "hold nothing where they are over", given: [ago(6)], expected: 0 },
    { name: "count what another clock put a little ahead", given: [ago(-1)], expected: 1 },
    { name: "do not count what is no time", given: [ago(-1000), ago(1)], expected: 1 },
  ])("$name", ({ given, expected }) => expect(windowSpending(given, NOW).fiveHour).toBe(expected));

  test("begin when somebody else says so", () => {
    expect(windowSpending([ago(4), ago(1)], NOW, NOW - 2 * HOUR).fiveHour).toBe(1);
  });
});

test("the week is the last seven days", () => {
  expect(windowSpending([ago(169), ago(168), ago(100), ago(1)], NOW).weekly).toBe(3);
});

describe("ccusage", () => {
  const block = (start: string, end: string, costUSD: unknown, more: object = {}) => ({
    startTime: `2026-11-${start}:00:00.000Z`,
    endTime: `2026-11-${end}:00:00.000Z`,
    costUSD,
    ...more,
  });
  const read = (...blocks: readonly object[]) => readCcusage(JSON.stringify({ blocks }), NOW);

  test("tells of both windows by its blocks", () => {
    const week = [block("10T01", "10T06", 100), block("13T01", "13T06", 7)];
    const gap = block("13T06", "19T09", 0, { isGap: true });
    expect(read(...week, gap, block("19T09", "19T14", 2.5, { isActive: true, models: [] }))).toEqual({
      fiveHour: 2.5,
      weekly: 9.5,
      since: Date.parse("2026-11-19T09:00:00.000Z"),
    });
  });

  test("tells of nothing where nothing was used", () => {
    expect(read()).toEqual({ fiveHour: 0, weekly: 0, since: null });
  });

  test.each(["", "not json", "{}", '{"blocks":{}}', '{"blocks":[{"costUSD":1}]}'])(
    "that says %j is not believed",
    (text) => {
      expect(readCcusage(text, NOW)).toBeNull();
    },
  );

  test.each([-1, "1", null, 1e300])("with a cost of %j is not believed", (cost) => {
    expect(read(block("19T09", "19T14", cost))).toBeNull();
  });
});
