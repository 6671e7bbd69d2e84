import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
} from "node:fs";
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
  const held = enterOr(root, path, enterOrMake, (error) => explain(path, error));
  try {
    return await work(realFolder(pathOf(held), root));
  } finally {
    closeSync(held);
  }
}

/** Null when there is no such folder, or a link on the way to it. */
export async function ifRealFolder<T>(
  root: string,
  path: string,
  work: (path: string) => Promise<T>,
): Promise<T | null> {
  const held = enterOr(
    root,
    path,
    (below) => openSync(below, REAL_FOLDER),
    () => null,
  );
  if (held === null) return null;
  try {
    return await work(pathOf(held));
  } finally {
    closeSync(held);
  }
}

function realFolder(path: string, root: string): RealFolder {
  // A tree is taken away first: in its own place, others could swap parts of it while it is deleted.
  async function remove(name: string): Promise<void> {
    try {
      unlinkSync(join(path, name));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return;
      if (code !== "EISDIR" && code !== "EPERM") throw error;
      const aside = join(root, `gone-${randomUUID()}`);
      // A folder that is closed to its owner cannot be moved; nor can a mounted one.
      await removeFolder(moved(join(path, name), aside) ? aside : join(path, name));
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

function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/** In place: entering a folder takes a few microseconds, and handing that to another thread and back many times as long. */
function enterOr<T>(
  root: string,
  path: string,
  step: (below: string) => number,
  otherwise: (error: unknown) => T,
): number | T {
  try {
    return enter(root, path, step);
  } catch (error) {
    return otherwise(error);
  }
}

function enter(root: string, path: string, step: (below: string) => number): number {
  const way = relative(root, path);
  if (isAbsolute(way) || way.split(sep).includes("..")) throw new Error(`${path} is not below ${root}`);
  let held = openSync(root, O_PATH | constants.O_DIRECTORY);
  for (const name of way.split(sep).filter((part) => part !== "")) {
    const above = held;
    try {
      held = step(join(pathOf(above), name));
    } finally {
      closeSync(above);
    }
  }
  return held;
}

function enterOrMake(path: string): number {
  for (let left = TRIES; ; left -= 1) {
    try {
      return usable(openSync(path, REAL_FOLDER));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (left === 0) throw error;
      if (code === "ENOENT") unless(["EEXIST"], () => mkdirSync(path, { mode: 0o700 }));
      else if (code === "ENOTDIR" || code === "ELOOP") unless(["ENOENT", "EISDIR"], () => unlinkSync(path));
      else throw error;
    }
  }
}

/** An agent can also close its folders to their owner. */
function usable(held: number): number {
  try {
    const { mode } = fstatSync(held);
    if ((mode & 0o700) !== 0o700) chmodSync(pathOf(held), (mode & 0o777) | 0o700);
    return held;
  } catch (error) {
    closeSync(held);
    throw error;
  }
}

function pathOf(held: number): string {
  return `/proc/self/fd/${held}`;
}

function unless(codes: readonly string[], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function explain(path: string, error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") throw UserError.of(homeAdvice.full(path));
  if (code !== undefined) throw UserError.of(homeAdvice.unwritable(path, message));
  throw error;
}
