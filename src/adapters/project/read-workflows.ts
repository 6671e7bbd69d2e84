import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FoundWorkflow } from "../../core/setup/checking-workflows.js";
import { readRegularFile } from "./read-regular-file.js";

/** The workflows of a checkout; none where there is no such folder. */
export async function readWorkflows(root: string): Promise<readonly FoundWorkflow[]> {
  const folder = join(root, ".github", "workflows");
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  const files = names.filter((name) => /\.ya?ml$/.test(name)).toSorted();
  const found: FoundWorkflow[] = [];
  for (const file of files) {
    // A link that leads nowhere is no workflow to GitHub either.
    const text = await readRegularFile(join(folder, file)).catch(() => null);
    if (text !== null) found.push({ file, text });
  }
  return found;
}
