import { randomUUID } from "node:crypto";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** With less than this git fails sooner or later, although a small file may still fit. */
const LEAST_BYTES = 16 * 1024 * 1024;
const TRIED_BYTES = 64 * 1024;

/** Whether a folder's disk takes what is written there: there is room, nobody's quota is used up, it is not read-only. */
export async function canWrite(folder: string): Promise<boolean> {
  const file = join(folder, `.try-${randomUUID()}`);
  try {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < LEAST_BYTES) return false;
    await writeFile(file, Buffer.alloc(TRIED_BYTES), { mode: 0o600, flag: "wx" });
    return true;
  } catch {
    return false;
  } finally {
    await rm(file, { force: true }).catch(() => {});
  }
}
