import { expect, test } from "vitest";
import {
  AGENT_ENDED,
  AGENT_STARTED,
  refillTimes,
  type TimedCall,
} from "../../../../src/core/run/plan/refill-times.js";

const call = (what: string, fromMs: number, toMs: number): TimedCall => ({ what, fromMs, toMs });
const ended = (at: number) => call(AGENT_ENDED, at, at);
const started = (at: number) => call(AGENT_STARTED, at - 2, at);

test("a run whose places were filled once has no refill", () => {
  expect(refillTimes([started(5), started(9), ended(50)])).toEqual({ refills: 0, whole: null, parts: [] });
});

test("the place that has been free for longest is filled first, and calls count as far as they fall into that time", () => {
  const calls = [
    ...[started(0), ended(100), ended(150)],
    ...[call("worktrees.prepare", 90, 130), call("worktrees.prepare", 120, 140)],
    ...[call("ledger.observe", 10, 20), call("ledger.observe", 195, 230)],
    ...[started(200), started(260)],
  ];
  const { refills, whole, parts } = refillTimes(calls);
  expect({ refills, whole }).toEqual({ refills: 2, whole: { medianMs: 110, p90Ms: 110 } });
  expect(parts).toEqual([
    // Two at once are not twice as long.
    { what: "worktrees.prepare", calls: 1, medianMs: 40, p90Ms: 40 },
    { what: "ledger.observe", calls: 1, medianMs: 35, p90Ms: 35 },
    // That of the other place, too.
    { what: AGENT_STARTED, calls: 1.5, medianMs: 4, p90Ms: 4 },
  ]);
});
