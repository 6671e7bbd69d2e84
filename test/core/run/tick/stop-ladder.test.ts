import { expect, test } from "vitest";
import { nextStop, type StopFacts } from "../../../../src/core/run/tick/stop-ladder.js";
import type { StopSignal } from "../../../../src/core/runtimes/runtime-descriptor.js";

const AT = 1_000_000;
const asked: StopFacts = {
  stopSignals: ["SIGINT", "SIGTERM", "SIGKILL"],
  force: false,
  recordedAt: AT,
  sent: [],
  now: AT,
};

function sent(...signals: [StopSignal, seconds: number][]) {
  return signals.map(([signal, seconds]) => ({ signal, at: AT + seconds * 1000 }));
}

const after = (seconds: number) => AT + seconds * 1000;

test.each<{ name: string; given: Partial<StopFacts>; expected: StopSignal | number }>([
  { name: "the gentlest signal comes at once", given: {}, expected: "SIGINT" },
  {
    name: "then there are five seconds to end in peace",
    given: { sent: sent(["SIGINT", 0]), now: after(4.9) },
    expected: after(5),
  },
  {
    name: "after which it is told to end",
    given: { sent: sent(["SIGINT", 0]), now: after(5) },
    expected: "SIGTERM",
  },
  {
    name: "whoever has less time gives less of it",
    given: { sent: sent(["SIGINT", 0]), now: after(1), graceMs: 1_000 },
    expected: "SIGTERM",
  },
  {
    name: "which is given its own five seconds",
    given: { sent: sent(["SIGINT", 0], ["SIGTERM", 7]), now: after(11) },
    expected: after(12),
  },
  {
    name: "and then it is killed",
    given: { sent: sent(["SIGINT", 0], ["SIGTERM", 7]), now: after(12) },
    expected: "SIGKILL",
  },
  {
    name: "a kill that has not worked yet is waited for",
    given: { sent: sent(["SIGTERM", 7], ["SIGKILL", 12]), now: after(13) },
    expected: after(17),
  },
  {
    name: "and repeated",
    given: { sent: sent(["SIGKILL", 12]), now: after(17) },
    expected: "SIGKILL",
  },
  {
    name: "a runtime that leaks its tools on SIGINT is not sent one",
    given: { stopSignals: ["SIGTERM", "SIGKILL"] },
    expected: "SIGTERM",
  },
  {
    name: "every ladder ends in a kill, also one that does not name it",
    given: { stopSignals: ["SIGINT"], sent: sent(["SIGINT", 0]), now: after(5) },
    expected: "SIGKILL",
  },
  { name: "and an empty one begins with it", given: { stopSignals: [] }, expected: "SIGKILL" },
  { name: "force tells it to end at once", given: { force: true }, expected: "SIGTERM" },
  {
    name: "force does not wait for an earlier, gentler signal",
    given: { force: true, sent: sent(["SIGINT", 0]), now: after(1) },
    expected: "SIGTERM",
  },
  {
    name: "force gives two seconds",
    given: { force: true, sent: sent(["SIGTERM", 0]), now: after(1.9) },
    expected: after(2),
  },
  {
    name: "and kills",
    given: { force: true, sent: sent(["SIGTERM", 0]), now: after(2) },
    expected: "SIGKILL",
  },
  {
    name: "an engine that takes over soon begins anew: the one before may have sent nothing",
    given: { now: after(30) },
    expected: "SIGINT",
  },
  {
    name: "a stop that is a minute old is forced",
    given: { now: after(61) },
    expected: "SIGTERM",
  },
  {
    name: "a clock that was set back does not hold the ladder still",
    given: { sent: sent(["SIGINT", 3600]), now: after(5) },
    expected: "SIGTERM",
  },
])("$name", ({ given, expected }) => {
  const step = nextStop({ ...asked, ...given });
  expect(step.kind === "send" ? step.signal : step.until).toBe(expected);
});

test("whatever happens, a process that never ends is killed within the ladder's time", () => {
  const signals: StopFacts["sent"][number][] = [];
  for (let now = AT; now < AT + 60_000; now += 100) {
    const step = nextStop({ ...asked, sent: signals, now });
    if (step.kind === "send") signals.push({ signal: step.signal, at: now });
  }
  expect(signals.slice(0, 3)).toEqual(sent(["SIGINT", 0], ["SIGTERM", 5], ["SIGKILL", 10]));
  expect(new Set(signals.slice(2).map(({ signal }) => signal))).toEqual(new Set(["SIGKILL"]));
});
