import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { GuardSettings } from "../core/guard/guard-settings.js";

/** Longer scripts are not read. */
const BYTES = 128 * 1024;

const FOR_A_SHELL = /^#!\s*(\/usr\/bin\/env\s+(-S\s+)?)?(\/\S*\/)?(sh|bash|dash|ash|zsh|ksh)(\s|$)/;

/** The text of a shell script of the agent's own; null for any other file. */
export function ownScript(path: string, { worktree, home, writable }: GuardSettings): string | null {
  const real = realPath(path, "/");
  const isOwn = [worktree, home, ...writable, "/tmp"].some((folder) =>
    real.startsWith(`${realPath(folder, "/")}/`),
  );
  if (!isOwn) return null;
  const text = readText(real);
  if (text === null || text.includes("\0")) return null;
  return text.startsWith("#!") && !FOR_A_SHELL.test(text) ? null : text;
}

/** Where a path leads. What is not there yet lies where its folder leads. */
export function realPath(path: string, cwd: string): string {
  const whole = resolve(cwd, path);
  try {
    return realpathSync(whole);
  } catch {
    return whole === "/" ? whole : join(realPath(dirname(whole), "/"), basename(whole));
  }
}

/** A pipe would be waited for, and is therefore opened without waiting. */
function readText(path: string): string | null {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const { size } = fstatSync(file);
    if (!fstatSync(file).isFile() || size > BYTES) return null;
    const bytes = Buffer.alloc(size);
    return bytes.subarray(0, readSync(file, bytes, 0, size, 0)).toString("utf8");
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}
