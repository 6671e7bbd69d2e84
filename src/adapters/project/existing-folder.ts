import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { projectAdvice } from "../../core/replies/config/project.js";
import { UserError } from "../../lib/user-error.js";

/** The folder's full path, when there is one; a misspelt name must not lead to a project further up. */
export async function existingFolder(folder: string): Promise<string> {
  const path = resolve(folder);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw UserError.of(projectAdvice.unreachable(path, error.message));
  });
  if (found === null) throw UserError.of(projectAdvice.noFolder(path));
  if (!found.isDirectory()) throw UserError.of(projectAdvice.notAFolder(path));
  return path;
}
