import { isAbsolute, resolve } from "node:path";
import type { Command } from "commander";
import { projectAdvice } from "../../core/replies/config/project.js";
import { UserError } from "../../lib/user-error.js";

/** The folder `--project` names, else the one koryph was started in. */
export function projectFolder(program: Command): string {
  const { project = "." } = program.opts<{ project?: string }>();
  if (isAbsolute(project)) return project;
  return resolve(currentFolder(), project);
}

/** Somebody may delete a folder while a shell stands in it. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw UserError.of(projectAdvice.startedNowhere());
  }
}
