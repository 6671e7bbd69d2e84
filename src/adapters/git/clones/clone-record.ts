import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../files/write-atomically.js";

const Sha = z.string().regex(/^[0-9a-f]{40,64}$/);

/**
 * What the engine knows about a bead's clone, kept where the agent cannot write.
 *
 * | stage    | entered                              | means                                              |
 * |----------|--------------------------------------|----------------------------------------------------|
 * | building | old work is saved, rebuild begins    | whatever is in the clone's place is nobody's work  |
 * | ready    | clone in place, bootstrap succeeded  | an agent may have worked in it                     |
 */
const CloneRecord = z.object({
  stage: z.enum(["building", "ready"]),
  /** Whether CONFLICT.md was left in the clone. */
  conflict: z.boolean().default(false),
  /** Uncommitted work that is to be put back into the clone being built, or that did not fit the one that is there. */
  patch: z.string().nullable().default(null),
  /** Work saved on the remote that a fresh start left behind on purpose. */
  passedOver: z.string().nullable().default(null),
  /** Commit of the default branch that the clone was built on; null in records from before this was kept. */
  base: Sha.nullable().default(null),
  /** The base of what stands in the branch until the build replaces it. */
  leaving: Sha.nullable().default(null),
});
export type CloneRecord = z.infer<typeof CloneRecord>;

/** Null when there is no record, or none that can be read: then the clone may hold anything. */
export async function readRecord(path: string): Promise<CloneRecord | null> {
  try {
    return CloneRecord.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return null;
  }
}

export async function writeRecord(path: string, record: z.input<typeof CloneRecord>): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await writeAtomically(path, `${JSON.stringify(record)}\n`);
}
