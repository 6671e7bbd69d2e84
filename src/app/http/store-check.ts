import { stat } from "node:fs/promises";
import type { HealthCheck } from "./health.js";

/**
 * Whether the store can be written, and is still the file that was opened: SQLite goes on writing to a file that was
 * deleted or replaced, and what it writes there is gone with the process. To be called when it has just been opened.
 */
export async function storeCheck(file: string, write: () => Promise<void>): Promise<HealthCheck> {
  const opened = await identityOf(file);
  return async () => {
    if ((await identityOf(file)) !== opened)
      throw new Error(`${file} is another file than the one that was opened: start the server again`);
    await write();
  };
}

/** Rejects when there is no such file. */
async function identityOf(file: string): Promise<string> {
  const { dev, ino } = await stat(file, { bigint: true });
  return `${dev}:${ino}`;
}
