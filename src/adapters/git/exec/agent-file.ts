import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath, rename } from "node:fs/promises";

type AgentFile =
  | { readonly kind: "file"; readonly handle: FileHandle; readonly size: number }
  | { readonly kind: "absent" }
  /** A link, a pipe, a device, or a path that leads out of the clone. */
  | { readonly kind: "strange" };

const REFUSED = ["ELOOP", "ENOTDIR", "EACCES", "EPERM", "ENXIO", "ENAMETOOLONG"];

/**
 * Opens a file that an agent could have written, only if it is a plain file at exactly this place. `path`
 * must be free of links down to the clone. Opening never waits (a pipe would) and never follows.
 */
async function openAgentFile(path: string): Promise<AgentFile> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let handle: FileHandle;
  try {
    handle = await open(path, flags);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { kind: "absent" };
    if (code !== undefined && REFUSED.includes(code)) return { kind: "strange" };
    throw error;
  }
  const entry = await handle.stat();
  // Asked after opening: a folder on the way that is swapped for a link in between changes nothing.
  if (entry.isFile() && (await placeOf(handle, path)) === path) {
    return { kind: "file", handle, size: entry.size };
  }
  await handle.close();
  return { kind: entry.isDirectory() ? "absent" : "strange" };
}

async function placeOf(handle: FileHandle, path: string): Promise<string> {
  return readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(path));
}

/** The text of such a file; `strange` as well when it is longer than any honest one. */
export async function readAgentText(path: string, limit: number): Promise<string | "absent" | "strange"> {
  const file = await openAgentFile(path);
  if (file.kind !== "file") return file.kind;
  try {
    return file.size > limit ? "strange" : await file.handle.readFile("utf8");
  } finally {
    await file.handle.close();
  }
}

const CHUNK = 1024 * 1024;

/** Copies such a file; nothing appears at `target` unless it is whole. False when there was nothing to copy. */
export async function copyAgentFile(path: string, target: string): Promise<boolean> {
  const file = await openAgentFile(path);
  if (file.kind !== "file") return false;
  try {
    const copy = await open(`${target}.new`, "w", 0o444);
    try {
      const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(file.size, CHUNK)));
      for (;;) {
        const { bytesRead } = await file.handle.read(buffer, 0, buffer.length, null);
        if (bytesRead === 0) break;
        await copy.write(buffer, 0, bytesRead);
      }
    } finally {
      await copy.close();
    }
  } finally {
    await file.handle.close();
  }
  await rename(`${target}.new`, target);
  return true;
}
