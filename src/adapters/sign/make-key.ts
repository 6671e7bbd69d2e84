import { link, lstat, mkdtemp, open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { signingAdvice } from "../../core/replies/sign/signing.js";
import { UserError } from "../../lib/user-error.js";
import { removeFolder } from "../files/remove-folder.js";
import { syncFolder } from "../files/write-synced.js";
import { makeFolder } from "../home/koryph-home.js";

const DRAFT = ".koryph-making-";
/** Making a key takes milliseconds: an older draft was left by a process that was killed. */
const OLD_MS = 60_000;

/**
 * Sees that there is a private key at `path`: false when there was one already, which is never replaced. A new
 * one has no passphrase, is for the owner alone, and appears whole or not at all.
 */
export async function makeKey(path: string, comment: string): Promise<boolean> {
  if (await isThere(path)) return false;
  const folder = await makeFolder(dirname(path));
  await removeOldDrafts(folder);
  try {
    const draft = await mkdtemp(join(folder, DRAFT));
    try {
      const key = join(draft, "key");
      const { execa } = await import("execa");
      await execa("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", key], {
        stdin: "ignore",
      });
      await sync(key);
      // A link fails where something is, so that no key is lost even when two of us make one at once.
      await link(key, path);
      await syncFolder(folder);
      return true;
    } finally {
      await removeFolder(draft);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await isThere(path))) return false;
    if (code === "ENOENT") throw UserError.of(signingAdvice.noTool("ssh-keygen"));
    throw UserError.of(signingAdvice.notMade(path, message));
  }
}

/** A link to a key will do; anything that is no file is in the way. */
async function isThere(path: string): Promise<boolean> {
  if ((await lstat(path).catch(() => null)) === null) return false;
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw UserError.of(signingAdvice.keyInTheWay(path));
  return true;
}

async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => each.startsWith(DRAFT))) {
    const draft = join(folder, name);
    const found = await lstat(draft).catch(() => null);
    if (found?.isDirectory() && Date.now() - found.mtimeMs > OLD_MS) await removeFolder(draft);
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
