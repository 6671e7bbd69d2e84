import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { readProject } from "../../core/config/read-project.js";
import { projectIdFrom, starterProject } from "../../core/config/starter-project.js";
import { PROJECT_FILE, projectAdvice } from "../../core/replies/project.js";
import { UserError } from "../../lib/user-error.js";
import { runGit } from "../git/run-git.js";
import { WORK_FILE } from "../work/file-source.js";

export interface InitOptions {
  readonly id?: string | undefined;
  readonly gate?: readonly string[] | undefined;
}

/** Writes a starter project file at the repository's top, and keeps `.koryph/` out of git. */
export async function initProject(
  folder: string,
  options: InitOptions,
): Promise<{ path: string; workFile: string }> {
  const root = await repositoryTop(resolve(folder));
  const path = join(root, PROJECT_FILE);
  const text = starterProject(options.id ?? projectIdFrom(basename(root)), options.gate ?? guessGate(root));
  const reading = readProject(text);
  if (reading.kind === "wrong") throw UserError.of(projectAdvice.wrong("the starter file", reading.problems));
  await writeNew(path, text);
  await mkdir(join(root, ".koryph"), { recursive: true });
  await writeFile(join(root, ".koryph", ".gitignore"), "*\n");
  return { path, workFile: join(root, WORK_FILE) };
}

async function repositoryTop(folder: string): Promise<string> {
  if (!existsSync(folder))
    throw new UserError(`${folder} does not exist`, "name an existing folder with --project");
  const top = await runGit(folder, ["rev-parse", "--show-toplevel"]);
  return top.code === 0 ? top.stdout.trimEnd() : folder;
}

function guessGate(root: string): string[] {
  return existsSync(join(root, "package.json")) ? ["npm test"] : ["make test"];
}

/** The flag makes "never overwrites" true even when two of us start at once. */
async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw UserError.of(projectAdvice.exists(path));
    throw UserError.of(projectAdvice.unwritable(path, (error as Error).message));
  }
}
