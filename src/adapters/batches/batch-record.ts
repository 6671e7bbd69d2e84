import { writeFile } from "node:fs/promises";
import { z } from "zod";
import { PLAINLY } from "../../core/model/plainly.js";
import { batchAdvice } from "../../core/replies/batches/batch-words.js";
import { UserError } from "../../lib/user-error.js";
import { readPlainFile } from "../files/plain-file.js";
import { writeAtomically } from "../files/write-atomically.js";

/**
 * What became of a file's requests, beside their results. It is written before they are sent: a record without an id
 * means that they may have been taken, and nobody heard.
 */
const BatchRecord = z.strictObject({
  /** Of the requests, as they were sent. */
  digest: z.string(),
  requests: z.int(),
  began_at: z.string(),
  batch: z.string().nullable(),
});
export type BatchRecord = z.infer<typeof BatchRecord>;

const MOST_BYTES = 64 * 1024;

/** Null when there is none. Throws a `UserError` for one that cannot be read: something may have been sent. */
export async function readBatchRecord(path: string): Promise<BatchRecord | null> {
  const bytes = await readPlainFile(path, MOST_BYTES);
  if (bytes === null) return null;
  try {
    return BatchRecord.parse(JSON.parse(bytes.toString("utf8")), PLAINLY);
  } catch {
    throw UserError.of(batchAdvice.recordUnreadable(path));
  }
}

export function writeBatchRecord(path: string, record: BatchRecord): Promise<void> {
  return writeAtomically(path, `${JSON.stringify(record, null, 2)}\n`);
}

/** The first record of these requests. Throws a `UserError` where there is one by now: two koryphs would submit twice. */
export async function beginBatchRecord(path: string, record: BatchRecord): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(record, null, 2)}\n`, { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw UserError.of(batchAdvice.begun(path));
  }
}
