import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { deflate, deflateSync } from "node:zlib";
import { ledgerAdvice } from "../../../core/replies/ledger/ledger.js";
import { UserError } from "../../../lib/user-error.js";
import { writeSynced } from "../../files/write-synced.js";

/** What is smaller is packed sooner than a thread that could do it has heard of it. */
const LARGE_BYTES = 65_536;
const packedAside = promisify(deflate);

type ObjectType = "blob" | "commit" | "tree";

/** The name that such an object has, wherever it is. */
export function objectName(type: ObjectType, content: string | Buffer): string {
  return nameOf(objectOf(type, content));
}

/** Puts an object into the repository as git does: whole and synced before it has its name. */
export async function writeObject(
  gitDir: string,
  type: ObjectType,
  content: string | Buffer,
): Promise<string> {
  const object = objectOf(type, content);
  const sha = nameOf(object);
  const path = join(gitDir, "objects", sha.slice(0, 2), sha.slice(2));
  // Git's own name for unfinished objects: its garbage collection knows them.
  const draft = join(dirname(path), `tmp_obj_${randomUUID()}`);
  try {
    await writeDraft(draft, object.length < LARGE_BYTES ? deflateSync(object) : await packedAside(object));
    renameSync(draft, path);
    return sha;
  } catch (error) {
    removeDraft(draft);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw UserError.of(ledgerAdvice.unwritable(gitDir, message));
  }
}

function objectOf(type: ObjectType, content: string | Buffer): Buffer {
  const body = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  return Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
}

function nameOf(object: Buffer): string {
  return createHash("sha1").update(object).digest("hex");
}

/** All but the first of a folder's objects find it there. */
async function writeDraft(draft: string, packed: Buffer): Promise<void> {
  try {
    await writeSynced(draft, packed, 0o444);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(dirname(draft), { recursive: true });
    await writeSynced(draft, packed, 0o444);
  }
}

/** What keeps an object from being written may keep its draft from going. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Git's garbage collection knows the name.
  }
}
