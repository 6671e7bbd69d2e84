import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

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
  await rm(draft, { force: true });
  try {
    const file = await open(draft, "wx", options.mode);
    try {
      await file.writeFile(content);
      if (options.owner) await file.chown(options.owner.uid, options.owner.gid).catch(() => {});
      // The mode given to open is cut by the umask, and chown clears some of its bits.
      await file.chmod(options.mode);
      await file.sync();
    } finally {
      await file.close();
    }
    if (options.stillWanted && !(await options.stillWanted())) return false;
    await rename(draft, path);
    await syncFolder(dirname(path));
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Without it a rename or removal may be undone by a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
