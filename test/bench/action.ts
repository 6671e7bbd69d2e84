import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, report } from "./measure.js";

const ROUNDS = 7;

/** How long a release of the Action takes to its first line, both of its steps, with nothing installed. */
export async function benchAction(): Promise<void> {
  const top = mkdtempSync(join(tmpdir(), "koryph-bench-"));
  try {
    for (const name of ["package.json", "package-lock.json", ".ci"])
      cpSync(name, join(top, name), { recursive: true });
    const bundle = [".ci/release.mjs", "bundle", join(top, "dist")];
    if (spawnSync(process.execPath, bundle, { stdio: "inherit" }).status !== 0) throw new Error("no bundle");
    mkdirSync(join(top, "workspace"));
    const whole: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const prepared = performance.now();
      spawnSync(process.execPath, [".ci/prepare.mjs", "--action"], { cwd: top });
      const took = performance.now() - prepared;
      whole.push(took + (await firstLine(top, ["dist/action/main.js"])));
    }
    report("a release of the Action to its first line, in seconds", median(whole) / 1_000, "1 or less");
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

async function firstLine(cwd: string, argv: readonly string[]): Promise<number> {
  const started = performance.now();
  const env = { PATH: process.env.PATH, GITHUB_WORKSPACE: join(cwd, "workspace") };
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const took = performance.now() - started;
  await once(child, "exit");
  return took;
}
