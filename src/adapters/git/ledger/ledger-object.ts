import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { ledgerAdvice } from "../../../core/replies/ledger/ledger.js";
import { UserError } from "../../../lib/user-error.js";

const packed = promisify(deflate);

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
    if (await isThere(path)) return sha;
    await mkdir(dirname(path), { recursive: true });
    const file = await open(draft, "wx", 0o444);
    try {
      await file.writeFile(await packed(object));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    return sha;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
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

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
