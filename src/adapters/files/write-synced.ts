import { closeSync, fsync, openSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";

const synced = promisify(fsync);

/**
 * Writes a new file and has the disk keep it; `finish` may still change it before. Only the disk is waited for: handing
 * each of the other calls to another thread and back takes far longer than the call.
 */
export async function writeSynced(
  path: string,
  content: string | Buffer,
  mode: number,
  finish: (fd: number) => void = () => {},
): Promise<void> {
  const fd = openSync(path, "wx", mode);
  try {
    writeFileSync(fd, content);
    finish(fd);
    await synced(fd);
  } finally {
    closeSync(fd);
  }
}

/** Without it a rename or removal may be undone by a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const fd = openSync(folder, "r");
  try {
    await synced(fd);
  } finally {
    closeSync(fd);
  }
}
