import { randomUUID } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import { writeSynced } from "./write-synced.js";

/** Whoever looks, whenever, finds the old file or the new one, whole. */
export async function writeAtomically(path: string, text: string, mode = 0o600): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    await writeSynced(beside, text, mode);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
