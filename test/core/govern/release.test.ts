import { describe, expect, test } from "vitest";
import { leaseId } from "../../../src/core/govern/agent-lease.js";
import type { Breaker } from "../../../src/core/govern/breaker.js";
import { effectiveCap } from "../../../src/core/govern/effective-cap.js";
import { type LeaseEnd, prune, release } from "../../../src/core/govern/release.js";
import {
  adaptivePool,
  governor,
  HOUR,
  lease,
  leases,
  MINUTE,
  NOON,
  poolIn,
} from "../../support/core/governor.js";

const halfOpen = { state: "half-open", times: 2, probe: null } as const;
const probed: Breaker = { ...halfOpen, probe: { project: "p", bead: "held", since: NOON } };
const older = lease({ bead: "older" });
const trying = governor({
  pools: [adaptivePool({ breaker: probed, decreases: [NOON - 1] })],
  leases: [older, lease()],
});
const later = NOON + MINUTE;

describe("the end of a lease", () => {
  test.each<{ name: string; given?: Partial<ReturnType<typeof lease>>; left: number }>([
    { name: "leaves the others", left: 1 },
    { name: "that nobody has changes nothing", given: { bead: "unknown" }, left: 2 },
    { name: "of another project changes nothing", given: { project: "q" }, left: 2 },
    { name: "of an attempt that was replaced changes nothing", given: { attempt: 0 }, left: 2 },
  ])("$name", ({ given, left }) => {
    const state = governor({ leases: [older, lease()] });
    expect(release(state, lease(given), "clean", later).leases).toEqual([older, lease()].slice(0, left));
  });

  test.each<{ name: string; given?: typeof older; how: LeaseEnd; now?: number; breaker: Breaker }>([
    { name: "a clean probe closes the breaker", how: "clean", breaker: { state: "closed" } },
    { name: "one that failed leaves the trying to another", how: "failed", breaker: halfOpen },
    { name: "another agent's end says nothing", given: older, how: "clean", breaker: probed },
    {
      name: "a probe that was silent for too long says nothing either",
      how: "clean",
      now: NOON + 31 * MINUTE,
      breaker: { state: "open", since: NOON + 30 * MINUTE, times: 3 },
    },
  ])("$name", ({ given = lease(), how, now = later, breaker }) => {
    expect(poolIn(release(trying, given, how, now)).breaker).toEqual(breaker);
  });

  test("after a clean probe the pool has a cap of 1, which settles before it grows", () => {
    const pool = poolIn(release(trying, lease(), "clean", later));
    const caps = [0, 7 * MINUTE - 1, 7 * MINUTE].map((after) => effectiveCap(pool, later + after));
    expect(caps).toEqual([1, 1, 2]);
    expect(pool.decreases).toEqual([]);
  });
});

describe("pruning", () => {
  test.each<{ name: string; dead?: string[]; now?: number; left: number }>([
    { name: "takes nothing from the living", left: 3 },
    {
      name: "takes the dead",
      dead: [leaseId(lease({ bead: "held-1", process: { pid: 101, start: "1010", boot: "boot-1" } }))],
      left: 2,
    },
    { name: "takes nothing for a name that nobody has", dead: ["held-1"], left: 3 },
    { name: "takes what is a day old", now: NOON + 24 * HOUR, left: 0 },
    { name: "and nothing sooner", now: NOON + 24 * HOUR - 1, left: 3 },
    { name: "takes nothing for a clock that was set back", now: NOON - 48 * HOUR, left: 3 },
  ])("$name", ({ dead = [], now = NOON, left }) => {
    const state = governor({ leases: leases(3) });
    expect(prune(state, new Set(dead), now).leases).toHaveLength(left);
  });

  test("a dead probe leaves the trying to another", () => {
    expect(poolIn(prune(trying, new Set([leaseId(lease())]), later)).breaker).toEqual(halfOpen);
  });

  test("a clock that was set back and goes on ends a lease a day later", () => {
    const back = prune(governor({ leases: leases(1) }), new Set(), NOON - 48 * HOUR);
    expect(prune(back, new Set(), NOON - 24 * HOUR).leases).toEqual([]);
  });
});
