import { mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writeAtomically } from "../../adapters/files/write-atomically.js";
import { takeLocalLock } from "../../adapters/home/local-lock.js";
import { sandboxAdvice } from "../../core/replies/surfaces/sandbox.js";
import { UserError } from "../../lib/user-error.js";

const MARK = "koryph-sandbox.txt";
const LOCK = "koryph-sandbox.lock";

interface SandboxFolder {
  readonly path: string;
  /** Gives it back; a temporary one goes. */
  leave(): Promise<void>;
}

/** The folder of one sandbox at a time, with nothing in it that is not a sandbox's. Null for a temporary one. */
export async function openSandboxFolder(wanted: string | null): Promise<SandboxFolder> {
  if (wanted === null) {
    const path = await usable(tmpdir(), () => mkdtemp(join(tmpdir(), "koryph-sandbox-")));
    return { path, leave: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
  }
  const path = await usable(resolve(wanted), async (folder) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return realpath(folder);
  });
  // Looked at before the lock is taken, because a lock is a file too, and foreign folders are left alone.
  await refuseForeign(path);
  const attempt = await usable(path, () => takeLocalLock(join(path, LOCK)));
  if (attempt.kind === "held") throw UserError.of(sandboxAdvice.running(path, attempt.by));
  try {
    // Somebody may have filled it in between.
    await refuseForeign(path);
    await writeAtomically(join(path, MARK), "A sandbox of koryph's keeps its state in this folder.\n");
  } catch (error) {
    await attempt.lock.release();
    throw error;
  }
  return { path, leave: () => attempt.lock.release() };
}

async function refuseForeign(folder: string): Promise<void> {
  const names = await usable(folder, () => readdir(folder));
  if (names.includes(MARK)) return;
  // Of a start that was cut off, only these are there: the mark comes next, and all else after it.
  const foreign = names.filter((name) => !name.startsWith(LOCK) && !name.startsWith(`${MARK}.`)).sort();
  if (foreign[0] !== undefined) throw UserError.of(sandboxAdvice.foreignFolder(folder, foreign[0]));
}

async function usable<T>(folder: string, use: (folder: string) => Promise<T>): Promise<T> {
  try {
    return await use(folder);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw UserError.of(sandboxAdvice.badFolder(folder, (error as Error).message));
  }
}
