import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { engineSatisfies } from "../../core/config/engine-version.js";
import type { ProjectConfig } from "../../core/config/project-schema.js";
import { readProject } from "../../core/config/read-project.js";
import { PROJECT_FILE, projectAdvice } from "../../core/replies/project.js";
import { UserError } from "../../lib/user-error.js";

export interface Project {
  readonly root: string;
  readonly config: ProjectConfig;
}

/** The project that `folder` belongs to, checked; throws a `UserError` that names every problem. */
export async function openProject(folder: string, engineVersion: string): Promise<Project> {
  const root = findRoot(resolve(folder));
  if (root === null) throw UserError.of(projectAdvice.absent(resolve(folder)));
  const path = join(root, PROJECT_FILE);
  const reading = readProject(await readText(path));
  switch (reading.kind) {
    case "unreadable":
      throw UserError.of(projectAdvice.unreadable(path, reading.problem));
    case "newer":
      throw UserError.of(projectAdvice.newer(path, reading.version, engineVersion));
    case "wrong":
      throw UserError.of(projectAdvice.wrong(path, reading.problems));
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
    if (existsSync(join(step, PROJECT_FILE))) return step;
    if (!inRepository || existsSync(join(step, ".git"))) return null;
  }
  return null;
}

function* upwards(folder: string): Generator<string> {
  for (let step = folder; ; step = dirname(step)) {
    yield step;
    if (step === dirname(step)) return;
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw UserError.of(projectAdvice.unreadable(path, (error as Error).message));
  }
}
