import { describe, expect, test } from "vitest";
import type { CrashPoint } from "../engine/engine-crash.js";
import { LONG } from "../long.js";
import {
  crashEngine,
  expectWholeDeath,
  LANDING_RUN,
  type LandCrashLab,
  type LandWorld,
  landCrashLab,
  recoverEngine,
} from "./land-crash.js";
import { expectAllLanded } from "./land-crash-checks.js";
import { came, hold, makePushPlace, release } from "./land-crash-hold.js";
import { enginePoints } from "./land-crash-points.js";
import { refusals, told } from "./land-lab.js";

/** One engine after the other, each killed at its point; the last one lands what is left. */
export async function playInARow(world: LandWorld, points: readonly CrashPoint[]): Promise<void> {
  const crashed = landCrashLab(world, LONG ? ["plain", "mended"] : ["mended"]);
  for (const [index, point] of points.entries()) await crashEngine(crashed, point, index > 0);
  await finish(crashed);
}

/** Every point of a world. Minutes of kills that add little to what a few in a row show. */
export function playAll(world: LandWorld): void {
  describe("killed before a call, gone on with, killed after the next one of its kind", () => {
    test.each(enginePoints(world))("$point, call $n", async ({ point, n }) => {
      const crashed = landCrashLab(world);
      await crashEngine(crashed, { point, n, when: "before" });
      await crashEngine(crashed, { point, n: 1, when: "after" }, true);
      await finish(crashed);
    });
  });

  describe("killed while something that it started goes on", () => {
    test.each(["gate", "push"])("the %s, which ends before anybody comes back", async (place) => {
      const crashed = landCrashLab(world);
      makePushPlace(crashed);
      await dieAt(crashed, place);
      release(crashed.lab, place);
      await finish(crashed);
    });

    test("the gate, which somebody who comes back waits for", async () => {
      const crashed = landCrashLab(world);
      await dieAt(crashed, "gate");
      const again = crashed.lab.start("run", "--resume", "--auto-merge", "--review");
      await again.says(/gate command 1 of 1/);
      release(crashed.lab, "gate");
      expect((await again.ended).code).toBe(4);
      await expectEnd(crashed);
    });

    test("the push, beside which the next engine makes the same one", async () => {
      const crashed = landCrashLab(world);
      makePushPlace(crashed);
      await dieAt(crashed, "push");
      const again = crashed.lab.start("run", "--resume", "--auto-merge", "--review");
      await came(crashed.lab, "push", 2);
      release(crashed.lab, "push");
      expect((await again.ended).code).toBe(4);
      await expectEnd(crashed);
    });
  });
}

async function dieAt(crashed: LandCrashLab, place: string): Promise<void> {
  hold(crashed.lab, place);
  const engine = crashed.lab.engine(LANDING_RUN);
  await came(crashed.lab, place);
  engine.child.kill("SIGKILL");
  await expectWholeDeath(crashed, engine);
}

async function finish(crashed: LandCrashLab): Promise<void> {
  await recoverEngine(crashed);
  await expectEnd(crashed);
}

/** What a death interrupts is not counted against a bead: the gate's one refusal is all there is. */
async function expectEnd(crashed: LandCrashLab): Promise<void> {
  const log = await expectAllLanded(crashed);
  expect(refusals(log, "plain")).toEqual([]);
  // The gate comes before the review, and so before any landing.
  expect(refusals(log, "mended")).toEqual([]);
  expect(told(log, "mended", "slot.refused").map(({ result }) => result)).toEqual(["gate-failed"]);
  expect(crashed.lab.names("gates")).toEqual([]);
}
