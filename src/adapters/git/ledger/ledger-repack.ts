import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ledgerGit } from "./ledger-repository.js";
import { dropSnapshot } from "./ledger-snapshot.js";

/** How many packs there are: each fetch leaves one. */
export async function packs(gitDir: string): Promise<number> {
  const files = await readdir(join(gitDir, "objects", "pack")).catch(() => []);
  return files.filter((name) => name.endsWith(".pack")).length;
}

/** About how many objects lie in files of their own; ids are evenly spread, so one folder of 256 tells. */
export async function looseObjects(gitDir: string): Promise<number> {
  const sample = await readdir(join(gitDir, "objects", "17")).catch(() => []);
  return sample.length * 256;
}

/**
 * Packs thousands of small files into one. Objects that nothing points to are spared for an hour: another
 * process may have written one and be about to point to it. A failure leaves things as they were.
 */
export async function repack(gitDir: string): Promise<void> {
  await ledgerGit(gitDir, ["gc", "--quiet", "--prune=1.hour.ago"]);
}

/** Removes what nothing points to any more, a purged chain above all, unless it was written after `timeMs`. */
export async function forgetPurged(gitDir: string, timeMs: number): Promise<void> {
  await dropSnapshot(gitDir);
  await ledgerGit(gitDir, ["gc", "--quiet", `--prune=${Math.floor(timeMs / 1000)}`]);
}
