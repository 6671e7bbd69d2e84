import { expect, test } from "vitest";
import { nextPushAt, recentPushes } from "../../../../src/core/run/ledger/push-rate.js";

const now = 1_000_000;
const ago = (...seconds: number[]) => seconds.map((past) => now - past * 1000);

test.each<{ name: string; urgency?: "urgent" | "routine"; pushes: number[]; waitSeconds: number }>([
  { name: "the first push goes at once", pushes: [], waitSeconds: 0 },
  { name: "the rest gathers for half a minute", pushes: ago(10), waitSeconds: 20 },
  { name: "after half a minute it goes", pushes: ago(30), waitSeconds: 0 },
  { name: "the newest push counts, in whatever order they are given", pushes: ago(5, 50), waitSeconds: 25 },
  { name: "four pushes use the minute up", pushes: ago(31, 35, 40, 45), waitSeconds: 15 },
  { name: "three leave room", pushes: ago(31, 35, 40), waitSeconds: 0 },
  { name: "urgent ones count against the rest", pushes: ago(30, 30, 30, 30, 30), waitSeconds: 30 },
  {
    name: "what others wait for is never held",
    urgency: "urgent",
    pushes: ago(0, 0, 0, 0, 0),
    waitSeconds: 0,
  },
  {
    name: "a clock set back does not hold pushes until it catches up",
    pushes: [now + 3_600_000],
    waitSeconds: 0,
  },
])("$name", ({ urgency = "routine", pushes, waitSeconds }) =>
  expect(nextPushAt(urgency, pushes, now)).toBe(now + waitSeconds * 1000),
);

test("pushes older than a minute, or in the future, are forgotten", () => {
  expect(recentPushes([...ago(61, 60, 59, 0), now + 1], now)).toEqual(ago(59, 0));
});
