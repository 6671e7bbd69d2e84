import { lstat, mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { setupAdvice } from "../../core/replies/config/setup.js";
import type { SetupFile } from "../../core/setup/github-files.js";
import { UserError } from "../../lib/user-error.js";

/** `new` is written, or would be; `same` is there already; `other` is somebody's own, and is kept. */
export type SetupAnswer = "new" | "same" | "other";

/** Puts a file below the repository's top, unless something is there. Without `write` it only looks. */
export async function writeSetupFile(
  root: string,
  { path, text }: SetupFile,
  write: boolean,
): Promise<SetupAnswer> {
  const target = join(root, path);
  await refuseWayOut(root, path);
  const found = await lstat(target).catch(() => null);
  if (found !== null) return found.isFile() && (await readFile(target, "utf8")) === text ? "same" : "other";
  if (!write) return "new";
  await mkdir(dirname(target), { recursive: true });
  // Fails where somebody was quicker, were it by a link.
  await writeFile(target, text, { flag: "wx" });
  return "new";
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
