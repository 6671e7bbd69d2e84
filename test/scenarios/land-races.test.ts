import { expect, test, vi } from "vitest";
import { expectFair, race, raceWorld } from "../support/land-races.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 1_200_000 });

const LONG = process.env.KORYPH_LONG !== undefined;
const PER_WORLD = LONG ? 8 : 3;
const WORLDS = LONG ? 25 : 1;

test.for(Array.from({ length: WORLDS }, (_, world) => ({ first: world * PER_WORLD + 1 })))(
  "whoever and whatever gets in the way, each bead lands once and as it was checked (seeds from $first)",
  async ({ first }) => {
    const seeds = Array.from({ length: PER_WORLD }, (_, n) => first + n);
    const world = await raceWorld(seeds);
    for (const [n, seed] of seeds.entries()) {
      await race(world, seed);
      await expectFair(world, seeds.slice(0, n + 1));
    }
    expect(await world.other.status()).toEqual(await world.lab.status());
  },
);
