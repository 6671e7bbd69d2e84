import { mkdir, realpath, stat } from "node:fs/promises";
import { homeFolders } from "../../core/runtimes/agent-environment.js";
import { removeFolder } from "../files/remove-folder.js";
import type { CheckoutRecord, GateFiles } from "./gate-files.js";

/** Writes down where a try works, and makes its HOME, empty whatever an interrupted start left in it. */
export async function enterCheckout(files: GateFiles, number: number, path: string): Promise<void> {
  await removeFolder(files.home(number));
  for (const folder of homeFolders(files.home(number))) await mkdir(folder, { recursive: true, mode: 0o700 });
  const { ino, birthtimeMs } = await stat(path);
  await files.writeCheckout(number, {
    path,
    realPath: await realpath(path),
    inode: ino,
    bornAt: birthtimeMs,
  });
}

/** Where a try works; null when there is no such folder any more, or another one in its place. */
export async function standingCheckout(files: GateFiles, number: number): Promise<CheckoutRecord | null> {
  const record = files.checkout(number);
  const found = record === null ? null : await stat(record.path).catch(() => null);
  return found?.ino === record?.inode && found?.birthtimeMs === record?.bornAt ? record : null;
}
