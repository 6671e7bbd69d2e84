import { describe, expect, test, vi } from "vitest";
import { type CrashPoint, recover } from "../../support/engine/engine-crash.js";
import {
  crashLand,
  expectWholeDeath,
  type LandCrashLab,
  type LandWorld,
  waitingLab,
} from "../../support/landing/land-crash.js";
import { expectAllLanded } from "../../support/landing/land-crash-checks.js";
import { came, hold, makePushPlace, release } from "../../support/landing/land-crash-hold.js";
import { landPoints, landPointsForEngine } from "../../support/landing/land-crash-points.js";
import { land } from "../../support/landing/land-lab.js";
import { LONG, longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 300_000 });

/** From the request to the last record. */
const IN_A_ROW: readonly CrashPoint[] = [
  { point: "ledger.claim:land.requested", when: "after", n: 1 },
  { point: "repo.checkOut:-gate", when: "after", n: 1 },
  { point: "ledger.claimBeside:land.landed", when: "after", n: 1 },
  { point: "source.close", when: "after", n: 1 },
];

/** Left out of the short form: others in the row die close by. */
const LONG_ONLY = ["ledger.claim:land.requested", "source.close"];

longTest("koryph land, killed again and again and asked for once more, lands the bead once", async () => {
  const crashed = await waitingLab("signed");
  for (const point of IN_A_ROW) if (LONG || !LONG_ONLY.includes(point.point)) await crashLand(crashed, point);
  await askAgain(crashed);
});

// In the long form: 54 labs with two deaths each, and 22 with one.
if (LONG)
  describe.each<LandWorld>(["signed", "checkout", "squashed"])("%s: koryph land killed", (world) => {
    test.each(landPoints(world))(
      "before $point, call $n, then after it, then asked for again",
      async (point) => {
        const crashed = await waitingLab(world);
        await crashLand(crashed, { ...point, when: "before" });
        await crashLand(crashed, { point: point.point, n: 1, when: "after" });
        await askAgain(crashed);
      },
    );

    test.each(landPointsForEngine(world))(
      "after $point, call $n, is finished by an engine",
      async (point) => {
        const crashed = await waitingLab(world);
        await crashLand(crashed, { ...point, when: "after" });
        await recover(crashed.lab);
        // What was never asked for as far as the ledger knows waits on.
        const { plain } = await crashed.lab.status();
        if (plain === "merge-pending") await askAgain(crashed);
        else await expectAllLanded(crashed);
      },
    );

    test.each(["gate", "push"])("while the %s goes on", async (place) => {
      const crashed = await waitingLab(world);
      makePushPlace(crashed);
      hold(crashed.lab, place);
      const landing = crashed.lab.start("land", "plain");
      await came(crashed.lab, place);
      landing.child.kill("SIGKILL");
      await expectWholeDeath(crashed, landing);
      const asked = askAgain(crashed);
      release(crashed.lab, place);
      await asked;
    });
  });

async function askAgain(crashed: LandCrashLab): Promise<void> {
  const { code, stderr } = await land(crashed.lab, "plain");
  expect(code, stderr).toBe(0);
  await expectAllLanded(crashed);
}
