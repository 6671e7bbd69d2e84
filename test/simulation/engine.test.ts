import { expect, test } from "vitest";
import { LONG } from "../support/long.js";
import type { SimOptions } from "./sim-world.js";
import { type SimResult, simulate } from "./simulate.js";

/** `npm run simulate -- --seeds 5000` plays more; `npm run simulate -- --seed 17` plays one again. */
const SEEDS = Number(process.env.KORYPH_SEEDS ?? (LONG ? 2_000 : 4));
if (!(SEEDS > 0)) throw new Error(`KORYPH_SEEDS is ${process.env.KORYPH_SEEDS}, which is no number of seeds`);
const ONE = process.env.KORYPH_SEED === undefined ? null : Number(process.env.KORYPH_SEED);

const WORLDS: readonly (Omit<SimOptions, "seed" | "beads" | "target"> & { name: string })[] = [
  { name: "one machine without crashes", machines: 1, crashPercent: 0 },
  { name: "one machine that crashes anywhere", machines: 1, crashPercent: 2 },
  { name: "two machines that crash anywhere", machines: 2, crashPercent: 1 },
  { name: "one machine whose clock is set", machines: 1, crashPercent: 1, clocks: true },
  { name: "two machines whose clocks are set", machines: 2, crashPercent: 1, clocks: true },
];

test.each(WORLDS)(
  "$name: no bead is lost, doubled, collides or lands unchecked",
  { timeout: 3_600_000 },
  async ({ name, ...world }) => {
    const seeds = ONE === null ? Array.from({ length: SEEDS }, (_, index) => index) : [ONE];
    let steps = 0;
    let landed = 0;
    for (const seed of seeds) {
      // Every other seed has no remote: what lands moves the operator's checkout, and moves it alone.
      const target = seed % 2 === 0 ? ("remote" as const) : ("checkout" as const);
      const options = { ...world, target, seed, beads: 3 + (seed % 10) };
      const result = await simulate(options);
      steps += result.steps;
      landed += result.landed;
      if (result.failure === null) continue;
      const { failure, trace } = await shortest(options, result);
      expect.fail(`seed ${seed} of ${name}: ${failure}\n${trace.join("\n")}`);
    }
    process.stdout.write(`${name}: ${seeds.length} seeds, ${steps} calls to the world, ${landed} landings\n`);
  },
);

/** The same seed with fewer beads often fails with a story that is short enough to read. */
async function shortest(options: SimOptions, found: SimResult): Promise<SimResult> {
  let best = found;
  for (let beads = 1; beads < options.beads; beads += 1) {
    const result = await simulate({ ...options, beads });
    if (result.failure !== null && result.trace.length < best.trace.length) best = result;
  }
  return best;
}
