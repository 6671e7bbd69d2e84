import { expect, test } from "vitest";
import type { SimOptions } from "./sim-world.js";
import { type SimResult, simulate } from "./simulate.js";

/** `npm run simulate -- --seeds 5000` plays more; `npm run simulate -- --seed 17` plays one again. */
const SEEDS = Number(process.env.KORYPH_SEEDS ?? (process.env.KORYPH_LONG ? 2_000 : 60));
const ONE = process.env.KORYPH_SEED === undefined ? null : Number(process.env.KORYPH_SEED);

test.each([
  { name: "one machine without crashes", machines: 1, crashPercent: 0 },
  { name: "one machine that crashes anywhere", machines: 1, crashPercent: 2 },
  { name: "two machines that crash anywhere", machines: 2, crashPercent: 1 },
])(
  "$name: no bead is lost, doubled or collides",
  { timeout: 3_600_000 },
  async ({ machines, crashPercent }) => {
    const seeds = ONE === null ? Array.from({ length: SEEDS }, (_, index) => index) : [ONE];
    let steps = 0;
    for (const seed of seeds) {
      const options = { seed, machines, crashPercent, beads: 3 + (seed % 10) };
      const result = await simulate(options);
      steps += result.steps;
      if (result.failure === null) continue;
      const { failure, trace } = await shortest(options, result);
      expect.fail(`seed ${seed} with ${machines} machines: ${failure}\n${trace.join("\n")}`);
    }
    process.stdout.write(`${seeds.length} seeds, ${steps} calls of the engine to its world\n`);
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
