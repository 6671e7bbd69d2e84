import { existsSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { engineSatisfies } from "../../core/config/engine-version.js";
import { PROJECT_FILE } from "../../core/config/project-file.js";
import type { ProjectConfig } from "../../core/config/project-schema.js";
import { readProject } from "../../core/config/read-project.js";
import { projectAdvice } from "../../core/replies/config/project.js";
import { UserError } from "../../lib/user-error.js";
import type { TokenSource } from "../github/token-client.js";
import { docsPath } from "./docs-path.js";
import { existingFolder } from "./existing-folder.js";
import { readRegularFile } from "./read-regular-file.js";

export interface Project {
  readonly root: string;
  readonly config: ProjectConfig;
  /** Speaks to GitHub for this project; absent where the operator's own token is looked for when one is needed. */
  readonly token?: TokenSource | undefined;
}

/** The project that `folder` belongs to, checked; throws a `UserError` that names every problem. */
export async function openProject(folder: string, engineVersion: string): Promise<Project> {
  const start = await existingFolder(folder);
  const root = findRoot(start);
  if (root === null) throw UserError.of(projectAdvice.absent(start));
  const path = join(root, PROJECT_FILE);
  const reading = readProject(await readText(path));
  switch (reading.kind) {
    case "unreadable":
      throw UserError.of(projectAdvice.unreadable(path, reading.problem));
    case "newer":
      throw UserError.of(projectAdvice.newer(path, reading.version, engineVersion));
    case "wrong":
      throw UserError.of(projectAdvice.wrong(path, reading.problems, docsPath("configuration.md")));
    case "ok": {
      const floor = reading.config.engine_version;
      if (!engineSatisfies(engineVersion, floor)) {
        throw UserError.of(projectAdvice.tooOld(path, floor, engineVersion));
      }
      return { root, config: reading.config };
    }
  }
}

/**
 * The nearest folder with a project file, looked for no further up than the repository's top. Its
 * commands will be run, so a file that someone left in a shared parent folder must not count.
 */
function findRoot(folder: string): string | null {
  const inRepository = [...upwards(folder)].some((step) => existsSync(join(step, ".git")));
  for (const step of upwards(folder)) {
    if (isThere(join(step, PROJECT_FILE))) return step;
    if (!inRepository || existsSync(join(step, ".git"))) return null;
  }
  return null;
}

/** A link that leads nowhere is there: that is a mistake to be named, not a missing file. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}

function* upwards(folder: string): Generator<string> {
  for (let step = folder; ; step = dirname(step)) {
    yield step;
    if (step === dirname(step)) return;
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readRegularFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw UserError.of(projectAdvice.deadLink(path));
    throw UserError.of(projectAdvice.unreadable(path, (error as Error).message));
  }
}
