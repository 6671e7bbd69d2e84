// npm run simulate -- --seeds 5000    plays so many seeds of each world
// npm run simulate -- --seed 17       plays one seed and shows its trace when it fails
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { seeds: { type: "string" }, seed: { type: "string" } } });
const env = { ...process.env };
if (values.seeds !== undefined) env.KORYPH_SEEDS = values.seeds;
if (values.seed !== undefined) env.KORYPH_SEED = values.seed;
const args = [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--config",
  "test/vitest.config.ts",
  "test/simulation",
];
process.exitCode = spawnSync(process.execPath, args, { env, stdio: "inherit" }).status ?? 1;
