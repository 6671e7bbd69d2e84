import { lstat, mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { setupAdvice } from "../../core/replies/config/setup.js";
import type { SetupFile } from "../../core/setup/github-files.js";
import { UserError } from "../../lib/user-error.js";
import { replaceFile } from "../files/replace-file.js";

/**
 * `new` is written, or would be; so is `renewed`, in place of what koryph wrote before. `same` is there already; `other`
 * is somebody's own, and is kept: `found` is its text, null for what is no file.
 */
export type SetupAnswer =
  | { readonly kind: "new" | "renewed" | "same" }
  | { readonly kind: "other"; readonly found: string | null };

/** Puts a file below the repository's top, unless something of somebody's is there. Without `write` it only looks. */
export async function writeSetupFile(
  root: string,
  { path, text, earlier }: SetupFile,
  write: boolean,
): Promise<SetupAnswer> {
  const target = join(root, path);
  await refuseWayOut(root, path);
  const found = await lstat(target).catch(() => null);
  if (found !== null) {
    const there = found.isFile() ? await readFile(target, "utf8") : null;
    if (there === text) return { kind: "same" };
    if (there === null || there !== earlier) return { kind: "other", found: there };
    if (write) await replaceFile(target, text, { mode: found.mode & 0o777 });
    return { kind: "renewed" };
  }
  if (!write) return { kind: "new" };
  await mkdir(dirname(target), { recursive: true });
  // Fails where somebody was quicker, were it by a link.
  await writeFile(target, text, { flag: "wx" });
  return { kind: "new" };
}

/** A folder of the way may be a link that leads elsewhere, and what is written there is not this repository's. */
async function refuseWayOut(root: string, path: string): Promise<void> {
  const top = await realpath(root);
  for (let at = dirname(path); at !== "."; at = dirname(at)) {
    const real = await realpath(join(root, at)).catch(() => null);
    if (real !== null && !`${real}${sep}`.startsWith(`${top}${sep}`))
      throw UserError.of(setupAdvice.leadsOut(at));
  }
}
