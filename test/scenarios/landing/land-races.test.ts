import { expect, test, vi } from "vitest";
import { expectFair, race, raceWorld } from "../../support/landing/land-races.js";
import { LONG } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 1_200_000 });

const PER_WORLD = 8;

/** In the short form two races that between them meet every kind of trouble. */
const WORLDS: readonly (readonly number[])[] = LONG
  ? Array.from({ length: 25 }, (_, world) =>
      Array.from({ length: PER_WORLD }, (_, n) => world * PER_WORLD + n + 1),
    )
  : [[1, 3]];

test.for(WORLDS.map((seeds) => ({ seeds })))(
  "whoever and whatever gets in the way, each bead lands once and as it was checked (seeds $seeds)",
  async ({ seeds }) => {
    const world = await raceWorld(seeds);
    for (const [n, seed] of seeds.entries()) {
      await race(world, seed);
      await expectFair(world, seeds.slice(0, n + 1));
    }
    expect(await world.other.status()).toEqual(await world.lab.status());
  },
);
