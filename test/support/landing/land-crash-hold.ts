import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type EngineLab, WAIT } from "../engine/engine-lab.js";
import type { LandCrashLab } from "./land-crash.js";

/** From now on whoever comes to this place of the lab waits there. */
export function hold({ top }: EngineLab, place: string): void {
  writeFileSync(join(top, `${place}.hold`), "");
}

export function release({ top }: EngineLab, place: string): void {
  rmSync(join(top, `${place}.hold`));
}

/** Waits until so many have come to the place. */
export async function came({ top }: EngineLab, place: string, times = 1): Promise<void> {
  const file = join(top, "starts", `${place}.came`);
  const count = () => (existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").length : 0);
  await expect.poll(count, WAIT).toBeGreaterThanOrEqual(times);
}

/**
 * Makes a place `push` of the moment before the default branch moves: a hook of the remote, or, in the operator's
 * own checkout, whose hooks do not run, a git that passes there before it receives.
 */
export function makePushPlace({ lab, world }: LandCrashLab): void {
  const pass = `sh ${lab.top}/pass.sh push`;
  if (world === "signed") {
    // The colleague pushes there, too, but the branch alone.
    const pair = "*refs/heads/main*refs/koryph/ledger* | *refs/koryph/ledger*refs/heads/main*";
    const script = `#!/bin/sh\ncase "$(cat)" in ${pair}) ${pass} ;; esac\n`;
    writeFileSync(join(lab.remote, "hooks", "pre-receive"), script, { mode: 0o755 });
    return;
  }
  const folder = join(lab.top, "bin");
  mkdirSync(folder);
  const path = process.env.PATH ?? "";
  const script = `#!/bin/sh\ncase "$*" in *updateInstead*receive-pack*) ${pass} ;; esac\nPATH='${path}' exec git "$@"\n`;
  writeFileSync(join(folder, "git"), script, { mode: 0o755 });
  lab.env = { ...lab.env, PATH: `${folder}:${path}` };
}
