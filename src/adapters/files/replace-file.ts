import { fchmodSync, fchownSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder, writeSynced } from "./write-synced.js";

export interface ReplaceOptions {
  readonly mode: number;
  /** Kept where the system lets us; only the superuser may give files away. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Asked when the new file is ready; false leaves the old one in place. */
  readonly stillWanted?: () => Promise<boolean>;
}

/**
 * Puts a file with this content in the place of the old one, all at once: whoever looks, or whatever is cut
 * short, finds the old or the new. The caller holds the lock of `path`. False when it was not wanted after all.
 */
export async function replaceFile(
  path: string,
  content: string | Buffer,
  options: ReplaceOptions,
): Promise<boolean> {
  const draft = `${path}.new`;
  // What a killed writer left, or a link somebody put there to lead us elsewhere.
  rmSync(draft, { force: true });
  try {
    await writeSynced(draft, content, options.mode, (fd) => {
      if (options.owner) giveTo(fd, options.owner);
      // The mode given to open is cut by the umask, and chown clears some of its bits.
      fchmodSync(fd, options.mode);
    });
    if (options.stillWanted && !(await options.stillWanted())) return false;
    renameSync(draft, path);
    await syncFolder(dirname(path));
    return true;
  } finally {
    rmSync(draft, { force: true });
  }
}

function giveTo(fd: number, { uid, gid }: NonNullable<ReplaceOptions["owner"]>): void {
  try {
    fchownSync(fd, uid, gid);
  } catch {
    // It stays ours.
  }
}
