import { statSync, utimesSync } from "node:fs";
import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { newFolder, removeFolder } from "../../files/remove-folder.js";
import type { ClonePaths } from "./project-paths.js";
import { quietGit, quietOutput } from "./quiet-git.js";
import { layScratch } from "./scratch-repo.js";

/** Nothing is committed through a view. */
const NOBODY = { name: "koryph", email: "koryph@invalid" };

/** A view of the agent's files that uses neither the clone's index nor its configuration. */
export interface WorkView {
  /** A git folder of the engine's own whose HEAD is the commit compared with. */
  readonly git: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Calls `use` with an index of `tip` in a temporary folder. It starts from the index the engine kept when it
 * checked the clone out, so that untouched files need a look at their times only. Those cannot be faked:
 * a file's change time is the kernel's.
 */
export async function withWorkView<T>(
  paths: ClonePaths,
  tip: string,
  use: (view: WorkView) => Promise<T>,
): Promise<T> {
  await refuseTraps(paths.clone);
  const git = await newFolder(paths.scratch);
  try {
    await layScratch(git, { repo: paths.repo, head: tip, identity: NOBODY, sparse: false });
    await copyIndex(paths.index, join(git, "index"));
    const env = { GIT_WORK_TREE: paths.clone };
    // -i: the agent's changes are what is looked for, not a reason to refuse.
    await quietOutput(git, ["read-tree", "-i", "-m", tip], { env });
    await forgetSubmodules(git, env);
    return await use({ git, env });
  } finally {
    await removeFolder(git);
  }
}

/** The clone cannot be looked through: git would wait for ever, or not get to every folder. */
export class TrappedError extends Error {}

/** Throws where a pipe, socket or device stands in for ignore rules or attributes, or a folder cannot be read. */
async function refuseTraps(clone: string): Promise<void> {
  const entries = await readdir(clone, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new TrappedError(`${clone} has folders that cannot be read: ${error.code}`);
    },
  );
  const traps = entries.some(
    (entry) =>
      (entry.name === ".gitignore" || entry.name === ".gitattributes") &&
      !entry.isFile() &&
      !entry.isDirectory() &&
      !entry.isSymbolicLink(),
  );
  if (traps) throw new TrappedError(`${clone} has a pipe or a device in the place of a file that git reads`);
}

/** Copies an index with its time: git takes an entry younger than the index for possibly changed. */
export async function copyIndex(from: string, to: string): Promise<void> {
  const times = statSync(from, { throwIfNoEntry: false });
  if (times === undefined) return;
  await copyFile(from, to);
  utimesSync(to, times.atime, times.mtime);
}

/**
 * Git looks into a submodule by running itself there, with the configuration it finds there. Without its
 * entry in the index the folder is merely untracked, and counts as work when there is anything in it.
 */
async function forgetSubmodules(git: string, env: WorkView["env"]): Promise<void> {
  // Names stay as git quotes them, so that bytes which are no UTF-8 come back as they were.
  const listing = await quietOutput(git, ["-c", "core.quotePath=true", "ls-files", "--stage"], { env });
  const links = listing.split("\n").filter((line) => line.startsWith("160000 "));
  if (links.length === 0) return;
  const input = links.map((line) => `${line.slice(line.indexOf("\t") + 1)}\n`).join("");
  await quietOutput(git, ["update-index", "--force-remove", "--stdin"], { env, input });
}

/** Whether the clone holds changes, or files that are not ignored, that are not in `tip`. */
export async function isDirty(paths: ClonePaths, tip: string): Promise<boolean> {
  try {
    return await withWorkView(paths, tip, async ({ git, env }) => {
      const answer = await quietGit(git, STATUS, { env });
      // What cannot be looked through may hold anything.
      return answer.code !== 0 || answer.stdout !== "";
    });
  } catch (error) {
    if (error instanceof TrappedError) return true;
    throw error;
  }
}

const STATUS = [
  "status",
  "--porcelain",
  "--untracked-files=normal",
  "--ignore-submodules=all",
  "--no-renames",
];
