import { expect, test } from "vitest";
import { isStalled, type Pulse, type Stillness, takePulse } from "../../../../src/core/run/tick/stall.js";

const AT = 5_000_000;
const first: Pulse = { at: AT, cpuSeconds: 10, outputAt: AT - 1000, status: "working" };
const limits = { stuckSeconds: 900, holdsResource: false };

/** The agent as it is seen every `every` seconds; `change` says what differs from the first look. */
function watched(seconds: number, change: (second: number) => Partial<Pulse>, every = 10): Stillness {
  let stillness = takePulse(null, first);
  for (let second = every; second <= seconds; second += every) {
    stillness = takePulse(stillness, { ...first, at: AT + second * 1000, ...change(second) });
  }
  return stillness;
}

test.each<{ name: string; seconds: number; change: (second: number) => Partial<Pulse>; stalled: boolean }>([
  { name: "nothing moved for the whole time", seconds: 900, change: () => ({}), stalled: true },
  { name: "nothing moved, but not for long enough", seconds: 890, change: () => ({}), stalled: false },
  {
    name: "it printed something in between",
    seconds: 1000,
    change: (second) => (second < 500 ? {} : { outputAt: AT + 500_000 }),
    stalled: false,
  },
  {
    name: "it printed for the first time in between",
    seconds: 1000,
    change: (second) => ({ outputAt: second < 500 ? null : AT }),
    stalled: false,
  },
  {
    name: "its status changed in between",
    seconds: 1000,
    change: (second) => ({ status: second < 500 ? "working" : "testing" }),
    stalled: false,
  },
  {
    name: "it worked in silence",
    seconds: 1000,
    change: (second) => ({ cpuSeconds: 10 + Math.min(second, 500) * 0.5 }),
    stalled: false,
  },
  {
    name: "only its own timers ticked",
    seconds: 900,
    change: (second) => ({ cpuSeconds: 10 + second * 0.005 }),
    stalled: true,
  },
  {
    name: "a tool of it ended, and its CPU time with it",
    seconds: 1000,
    change: (second) => ({ cpuSeconds: second < 500 ? 10 : 4 }),
    stalled: false,
  },
  {
    name: "the clock was set back, so nobody knows for how long",
    seconds: 1000,
    change: (second) => (second < 500 ? {} : { at: AT + (second - 3600) * 1000 }),
    stalled: false,
  },
])("$name: stalled is $stalled", ({ seconds, change, stalled }) => {
  expect(isStalled(watched(seconds, change), limits)).toBe(stalled);
});

test("often looked at, a single hundredth of a second of CPU is not taken for work", () => {
  const ticking = watched(900, (second) => ({ cpuSeconds: 10 + Math.floor(second / 3) * 0.01 }), 0.5);
  expect(isStalled(ticking, limits)).toBe(true);
});

test("whoever holds a resource may be still four times as long", () => {
  const holding = { ...limits, holdsResource: true };
  expect(
    isStalled(
      watched(3590, () => ({})),
      holding,
    ),
  ).toBe(false);
  expect(
    isStalled(
      watched(3600, () => ({})),
      holding,
    ),
  ).toBe(true);
});

test("an agent that moves again is no longer stalled", () => {
  const still = watched(900, () => ({}));
  expect(isStalled(still, limits)).toBe(true);
  expect(isStalled(takePulse(still, { ...first, at: AT + 910_000, status: "done" }), limits)).toBe(false);
});
