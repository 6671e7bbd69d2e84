import { realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { openProject, type Project } from "../adapters/project/open-project.js";
import { WORK_FILE } from "../adapters/work/file-source.js";
import { PROJECT_FILE } from "../core/config/project-file.js";
import { projectAdvice } from "../core/replies/config/project.js";
import { actionAdvice } from "../core/replies/surfaces/action.js";
import { UserError } from "../lib/user-error.js";

/**
 * The project in a folder of the workspace. Links are followed before anything is read: errors quote
 * what they find, and a checkout that links to the runner's own files must not have those quoted.
 */
export async function openCheckout(workspace: string, folder: string, version: string): Promise<Project> {
  const top = await realpath(workspace);
  const root = resolve(top, folder);
  const reached = await realPathInside(top, root);
  const file = await realPathInside(top, join(root, PROJECT_FILE));
  if (reached === null || file === null) throw UserError.of(actionAdvice.absent(folder));
  await realPathInside(top, join(root, WORK_FILE));
  return openProject(reached, version);
}

/** Null when there is nothing at that path; throws when it lies, or leads, outside. */
async function realPathInside(top: string, path: string): Promise<string | null> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw UserError.of(projectAdvice.unreadable(relative(top, path), error.message));
  });
  const fromTop = relative(top, real ?? path);
  // On Windows a path on another drive stays absolute.
  const leaves = fromTop === ".." || fromTop.startsWith(`..${sep}`) || resolve(fromTop) === fromTop;
  if (leaves) throw UserError.of(actionAdvice.outside(relative(top, path)));
  return real;
}
