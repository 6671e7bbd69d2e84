import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";

/** Whoever looks, whenever, finds the old file or the new one, whole. */
export async function writeAtomically(path: string, text: string, mode = 0o600): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(beside, "wx", mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
