import { execFile } from "node:child_process";
import { lstatSync } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** Removes a folder and all below it; nothing happens when it is absent. Links are removed, not followed. */
export async function removeFolder(path: string): Promise<void> {
  if (!isThere(path, { unknown: true })) return;
  const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 };
  try {
    await rm(path, options);
  } catch (error) {
    // Module caches, and agents, leave folders behind that not even their owner may write in.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENAMETOOLONG") return removeDeep(path);
    if (code !== "EACCES" && code !== "EPERM") throw error;
    await openUp(path);
    await rm(path, options);
  }
}

/** Node names every file by its whole path, which may be longer than a call takes; `rm` goes down step by step. */
async function removeDeep(path: string): Promise<void> {
  await promisify(execFile)("rm", ["-rf", "--", path]);
}

/** Takes a folder out of its place in one step, then deletes it. A crash between leaves it in `trash`. */
export async function discard(path: string, trash: string): Promise<void> {
  if (!isThere(path, { unknown: false })) return;
  const aside = await newFolder(trash);
  await rename(path, join(aside, "clone"));
  await removeFolder(aside);
}

/** Whether anything is there; `unknown` where that cannot be told. */
function isThere(path: string, { unknown }: { readonly unknown: boolean }): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return unknown;
  }
}

async function openUp(path: string): Promise<void> {
  const entry = await lstat(path).catch(() => null);
  if (!entry?.isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await openUp(join(path, name));
}

/** A new folder below `parent`, which is made if need be. */
export async function newFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, "new-"));
}
