import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const TMPFS = 0x0102_1994;
const NEEDED_BYTES = 2 ** 30;
const NAME = "koryph-";

/**
 * Puts the tests' folders into memory, where the machine offers it: worlds are thousands of small files that live for
 * seconds, and a disk's file system computes for each of them. Returns what removes them; undefined where they lie on disk.
 */
export default function useMemory(): (() => void) | undefined {
  // Each project of vitest's asks once; the folder is for all of them. Whoever sets TMPDIR has chosen a place.
  if (process.env.TMPDIR !== undefined || !hasRoom()) return undefined;
  removeLeftovers();
  const folder = mkdtempSync(join(MEMORY, `${NAME}${process.pid}-`));
  // Some tests are another user for a while.
  chmodSync(folder, 0o1777);
  if (!canRunIn(folder)) {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    return type === TMPFS && bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** Containers often forbid programs there, and tests write agents as scripts. */
function canRunIn(folder: string): boolean {
  const script = join(folder, "script");
  writeFileSync(script, "#!/bin/sh\n", { mode: 0o755 });
  const ran = spawnSync(script).status === 0;
  rmSync(script);
  return ran;
}

/** A run that was killed leaves its folder behind, and memory is worth more than disk. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = Number(new RegExp(`^${NAME}(\\d+)-`).exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
