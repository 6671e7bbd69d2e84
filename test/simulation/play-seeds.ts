import { expect } from "vitest";
import { LONG } from "../support/long.js";

/** What came of a world. */
interface PlayedSeed {
  readonly steps: number;
  readonly landed: number;
  readonly failure: string | null;
  readonly trace: readonly string[];
}

/**
 * Plays so many seeds of a world, and fails with the story of the first one that fails. `npm run simulate -- --seeds
 * 5000` plays more; `npm run simulate -- --seed 17` plays one again.
 */
export async function playSeeds(
  name: string,
  count: { readonly long: number; readonly short: number },
  play: (seed: number) => Promise<PlayedSeed>,
): Promise<void> {
  const seeds = chosenSeeds(LONG ? count.long : count.short);
  let steps = 0;
  let landed = 0;
  for (const seed of seeds) {
    const result = await play(seed);
    steps += result.steps;
    landed += result.landed;
    if (result.failure !== null)
      expect.fail(`seed ${seed} of ${name}: ${result.failure}\n${result.trace.join("\n")}`);
  }
  process.stdout.write(`${name}: ${seeds.length} seeds, ${steps} calls to the world, ${landed} landings\n`);
}

function chosenSeeds(usual: number): number[] {
  const { KORYPH_SEEDS, KORYPH_SEED } = process.env;
  if (KORYPH_SEED !== undefined) return [Number(KORYPH_SEED)];
  const count = Number(KORYPH_SEEDS ?? usual);
  if (!(count > 0)) throw new Error(`KORYPH_SEEDS is ${KORYPH_SEEDS}, which is no number of seeds`);
  return Array.from({ length: count }, (_, index) => index);
}
