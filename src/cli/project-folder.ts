import type { Command } from "commander";

/** The folder `--project` names, else the one koryph was started in. */
export function projectFolder(program: Command): string {
  return program.opts<{ project?: string }>().project ?? process.cwd();
}
