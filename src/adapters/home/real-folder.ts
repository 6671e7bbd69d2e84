import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, type FileHandle, mkdir, open, rename, unlink } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { homeAdvice } from "../../core/replies/config/home.js";
import { UserError } from "../../lib/user-error.js";
import { removeFolder } from "../files/remove-folder.js";
import { writeAtomically } from "../files/write-atomically.js";
import { makeFolder } from "./koryph-home.js";

/** Linux's, which Node does not name: no more than a hold on the folder, for which it need not be readable. */
const O_PATH = 0o10000000;
const REAL_FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Who puts something else there faster than we put it right gets no further. */
const TRIES = 20;

/** A folder that cannot become another one while it is worked in. */
export interface RealFolder {
  /** Leads to it whatever is done to the names on the way. */
  readonly path: string;
  /** Puts a file there, in the place of whatever has its name. */
  write(name: string, text: string, mode?: number): Promise<void>;
  remove(name: string): Promise<void>;
}

/**
 * Works in a folder below `root`, made if need be. An agent can put a link in the place of its own folders, and would
 * have us write and delete wherever that leads. So each is entered from the one above it, and what is no folder gives
 * way to a new one: the link goes, never what it points to. `root` itself may be a link; it is the operator's.
 */
export async function inRealFolder<T>(
  root: string,
  path: string,
  work: (folder: RealFolder) => Promise<T>,
): Promise<T> {
  await makeFolder(root);
  const held = await enter(root, path, enterOrMake).catch((error: unknown) => explain(path, error));
  try {
    return await work(realFolder(pathOf(held), root));
  } finally {
    await held.close();
  }
}

/** Null when there is no such folder, or a link on the way to it. */
export async function ifRealFolder<T>(
  root: string,
  path: string,
  work: (path: string) => Promise<T>,
): Promise<T | null> {
  const held = await enter(root, path, (below) => open(below, REAL_FOLDER)).catch(() => null);
  if (held === null) return null;
  try {
    return await work(pathOf(held));
  } finally {
    await held.close();
  }
}

function realFolder(path: string, root: string): RealFolder {
  // A tree is taken away first: in its own place, others could swap parts of it while it is deleted.
  async function remove(name: string): Promise<void> {
    try {
      await unlink(join(path, name));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return;
      if (code !== "EISDIR" && code !== "EPERM") throw error;
      const aside = join(root, `gone-${randomUUID()}`);
      // A folder that is closed to its owner cannot be moved; nor can a mounted one.
      const moved = await rename(join(path, name), aside).catch(() => "stays");
      await removeFolder(moved === "stays" ? join(path, name) : aside);
    }
  }
  async function write(name: string, text: string, mode?: number): Promise<void> {
    try {
      await writeAtomically(join(path, name), text, mode);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EISDIR") throw error;
      await remove(name);
      await writeAtomically(join(path, name), text, mode);
    }
  }
  return { path, write, remove };
}

async function enter(
  root: string,
  path: string,
  step: (below: string) => Promise<FileHandle>,
): Promise<FileHandle> {
  const way = relative(root, path);
  if (isAbsolute(way) || way.split(sep).includes("..")) throw new Error(`${path} is not below ${root}`);
  let held = await open(root, O_PATH | constants.O_DIRECTORY);
  for (const name of way.split(sep).filter((part) => part !== "")) {
    const above = held;
    try {
      held = await step(join(pathOf(above), name));
    } finally {
      await above.close();
    }
  }
  return held;
}

async function enterOrMake(path: string): Promise<FileHandle> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await usable(await open(path, REAL_FOLDER));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (left === 0) throw error;
      if (code === "ENOENT") await mkdir(path, { mode: 0o700 }).catch(unless("EEXIST"));
      else if (code === "ENOTDIR" || code === "ELOOP") await unlink(path).catch(unless("ENOENT", "EISDIR"));
      else throw error;
    }
  }
}

/** An agent can also close its folders to their owner. */
async function usable(held: FileHandle): Promise<FileHandle> {
  try {
    const { mode } = await held.stat();
    if ((mode & 0o700) !== 0o700) await chmod(pathOf(held), (mode & 0o777) | 0o700);
    return held;
  } catch (error) {
    await held.close();
    throw error;
  }
}

function pathOf({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}

function unless(...codes: readonly string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? "")) throw error;
  };
}

function explain(path: string, error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") throw UserError.of(homeAdvice.full(path));
  if (code !== undefined) throw UserError.of(homeAdvice.unwritable(path, message));
  throw error;
}
