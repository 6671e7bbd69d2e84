import { expect, test } from "vitest";
import { LONG } from "../../support/long.js";
import type { PullSimOptions } from "./pull-world.js";
import { simulatePulls } from "./simulate-pulls.js";

/** `npm run simulate -- --seeds 5000` plays more; `npm run simulate -- --seed 17` plays one again. */
const SEEDS = Number(process.env.KORYPH_SEEDS ?? (LONG ? 200 : 1));
const ONE = process.env.KORYPH_SEED === undefined ? null : Number(process.env.KORYPH_SEED);

const WORLDS: readonly (Omit<PullSimOptions, "seed"> & { name: string })[] = [
  { name: "people, the App and terminals", crashPercent: 0, rewinds: false },
  { name: "an App that crashes anywhere", crashPercent: 1, rewinds: false },
  { name: "a ledger that is rewound", crashPercent: 1, rewinds: true },
];

test.each(WORLDS)(
  "$name: nothing lands that was not approved and green in exactly that form, and every landing has one receipt",
  { timeout: 3_600_000 },
  async ({ name, ...world }) => {
    const seeds = ONE === null ? Array.from({ length: SEEDS }, (_, index) => index) : [ONE];
    let steps = 0;
    let landed = 0;
    for (const seed of seeds) {
      const result = await simulatePulls({ ...world, seed });
      steps += result.steps;
      landed += result.landed;
      if (result.failure !== null)
        expect.fail(`seed ${seed} of ${name}: ${result.failure}\n${result.trace.join("\n")}`);
    }
    process.stdout.write(`${name}: ${seeds.length} seeds, ${steps} calls to the world, ${landed} landings\n`);
  },
);
