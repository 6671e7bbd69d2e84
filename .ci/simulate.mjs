// npm run simulate -- --seeds 5000    plays so many seeds of each world
// npm run simulate -- --seed 17       plays one seed and shows its trace when it fails
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { seeds: { type: "string" }, seed: { type: "string" } } });
for (const [name, value] of Object.entries(values)) {
  if (/^\d{1,7}$/.test(value) && (name === "seed" || Number(value) > 0)) continue;
  process.stderr.write(`simulate: --${name} takes a whole number, and this is ${JSON.stringify(value)}\n`);
  process.exit(2);
}
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
