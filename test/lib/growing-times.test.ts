import { expect, test } from "vitest";
import { nextWordAfter } from "../../src/lib/growing-times.js";

test("a wait is told of after 1, 5, 15 and 30 minutes, then every half hour", () => {
  const told = [nextWordAfter(0)];
  while (told.length < 7) told.push(nextWordAfter(told.at(-1) ?? 0));
  expect(told.map((ms) => ms / 60_000)).toEqual([1, 5, 15, 30, 60, 90, 120]);
});
