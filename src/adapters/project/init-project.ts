import { existsSync } from "node:fs";
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rm,
  rmdir,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { GATE_SIGNS, type GuessedGate, guessGate, LOCK_FILES } from "../../core/config/guess-gate.js";
import {
  PYTEST_SIGNS,
  PYTHON_SIGNS,
  PYTHON_TEST_FILE,
  PYTHON_TEST_FOLDERS,
} from "../../core/config/guess-unittest.js";
import { PROJECT_FILE } from "../../core/config/project-file.js";
import { readProject } from "../../core/config/read-project.js";
import { projectIdFrom, starterProject } from "../../core/config/starter-project.js";
import { NO_GATE } from "../../core/replies/config/init.js";
import { projectAdvice } from "../../core/replies/config/project.js";
import { UserError } from "../../lib/user-error.js";
import { WORK_FILE, WORK_FOLDER } from "../work/plain-work-file.js";
import { docsPath } from "./docs-path.js";
import { existingFolder } from "./existing-folder.js";
import { readRegularFile } from "./read-regular-file.js";

export interface InitOptions {
  readonly id?: string | undefined;
  readonly gate?: readonly string[] | undefined;
}

export interface Initialised {
  readonly path: string;
  /** What runs the repository's tests, as its files tell; null when they do not. */
  readonly foundGate: GuessedGate | null;
  readonly workFile: string;
  /** An ignore file that was there before and does not keep everything out of git; null when all is well. */
  readonly weakIgnore: string | null;
}

const IGNORE_ALL = "*\n";

/**
 * Writes a starter project file at the repository's top, and keeps `.koryph/` out of git. The project file
 * comes last and whole: where it is, everything else is too. What fails leaves nothing behind.
 */
export async function initProject(folder: string, options: InitOptions): Promise<Initialised> {
  const root = repositoryTop(await realpath(await existingFolder(folder)));
  const path = join(root, PROJECT_FILE);
  const foundGate = await findGate(root);
  const gate = options.gate ?? foundGate?.commands ?? [NO_GATE];
  const text = starterProject(options.id ?? projectIdFrom(basename(root)), gate);
  const reading = readProject(text);
  if (reading.kind === "wrong")
    throw UserError.of(
      projectAdvice.wrong("the starter file", reading.problems, docsPath("configuration.md")),
    );
  await refuseExisting(path);
  const state = join(root, WORK_FOLDER);
  const ignore = join(state, ".gitignore");
  const made: (() => Promise<void>)[] = [];
  try {
    if (await makeFolder(state)) made.push(() => rmdir(state));
    if (await writeNew(ignore, IGNORE_ALL)) made.push(() => rm(ignore));
    await putInPlace(path, text, join(state, `${PROJECT_FILE}.${process.pid}`));
  } catch (error) {
    // Where somebody else was quicker, what we made is theirs by now.
    if (!existsSync(path)) for (const undo of made.reverse()) await undo().catch(() => {});
    if (error instanceof UserError) throw error;
    const { path: where = path, message } = error as NodeJS.ErrnoException;
    throw UserError.of(projectAdvice.unwritable(where, message));
  }
  const kept = await readFile(ignore, "utf8").catch(() => "");
  return {
    path,
    foundGate,
    workFile: join(root, WORK_FILE),
    weakIgnore: kept.trim() === IGNORE_ALL.trim() ? null : ignore,
  };
}

/** Looked for by hand: asking git means running it in a folder whose files could steer it. */
function repositoryTop(folder: string): string {
  for (let step = folder; step !== dirname(step); step = dirname(step))
    if (existsSync(join(step, ".git"))) return step;
  return folder;
}

/** What cannot be read tells nothing. */
async function findGate(root: string): Promise<GuessedGate | null> {
  const found = new Map<string, string>();
  for (const name of new Set([...GATE_SIGNS, ...PYTEST_SIGNS, ...(await pythonFiles(root))])) {
    const text = await readRegularFile(join(root, name)).catch(() => null);
    if (text !== null) found.set(name, text);
  }
  for (const name of LOCK_FILES)
    if ((await lstat(join(root, name)).catch(() => null))?.isFile()) found.set(name, "");
  return guessGate(found);
}

/** Enough to tell how tests are written. */
const MOST_TEST_FILES = 100;

/** Files of Python's tests, and those beside them that tell how they are run. */
async function pythonFiles(root: string): Promise<string[]> {
  const all: string[] = [];
  for (const folder of PYTHON_TEST_FOLDERS) {
    const names = await readdir(join(root, folder)).catch(() => []);
    const tests = names.filter((name) => PYTHON_TEST_FILE.test(name)).slice(0, MOST_TEST_FILES);
    all.push(...[...tests, ...PYTHON_SIGNS].map((name) => `${folder}${name}`));
  }
  return all;
}

async function refuseExisting(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  throw UserError.of(
    found.isSymbolicLink() && !existsSync(path) ? projectAdvice.deadLink(path) : projectAdvice.exists(path),
  );
}

/** False when the folder is there already. */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const found = await lstat(path);
    if (found.isDirectory()) return false;
    throw UserError.of(projectAdvice.inTheWay(path, found.isSymbolicLink() ? "a link" : "no folder"));
  }
}

/** False when something is there already, were it a link: that is kept. */
async function writeNew(path: string, text: string): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return true;
}

/** A link fails where a file is, so that nothing is overwritten even when two of us start at once. */
async function putInPlace(path: string, text: string, draft: string): Promise<void> {
  await rm(draft, { force: true });
  try {
    await writeNew(draft, text);
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw UserError.of(projectAdvice.exists(path));
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
