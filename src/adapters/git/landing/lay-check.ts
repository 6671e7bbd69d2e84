import { execFile } from "node:child_process";
import { lstat, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { newFolder, removeFolder } from "../../files/remove-folder.js";
import { checkOut } from "../clones/spare-checkout.js";
import type { Identity } from "../exec/open-repo.js";
import { copyIndex } from "../exec/safe-status.js";
import { layScratch } from "../exec/scratch-repo.js";

export interface CheckPaths {
  readonly folder: string;
  /** Where it is built before it gets its name. */
  readonly making: string;
  /** Where it goes before it is deleted. */
  readonly trash: string;
}

export function checkPaths(projectHome: string, name: string): CheckPaths {
  // It becomes a folder, and that folder is deleted.
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(name))
    throw new Error(`not a name for a checkout: ${JSON.stringify(name)}`);
  const checks = join(resolve(projectHome), "checks");
  return {
    folder: join(checks, name),
    making: join(checks, ".making", name),
    trash: join(checks, ".trash", name),
  };
}

/**
 * The files of a commit in a folder of their own, with a repository that has no branch and no remote and borrows
 * its objects. Whatever had the name before is replaced.
 */
export async function layCheck(
  paths: CheckPaths,
  facts: { readonly repo: string; readonly head: string; readonly identity: Identity },
): Promise<string> {
  await clearAway(paths.making);
  const place = await newFolder(paths.making);
  const { folder, index } = await checkOut(facts.repo, facts.head, place);
  const git = join(folder, ".git");
  await layScratch(git, { ...facts, sparse: false });
  await copyIndex(index, join(git, "index"));
  await dropCheck(paths);
  await rename(folder, paths.folder);
  await clearAway(paths.making);
  return paths.folder;
}

/** Takes the folder out of its place in one step. What resists deletion stays in the trash and harms nobody. */
export async function dropCheck({ folder, trash }: CheckPaths): Promise<void> {
  if ((await lstat(folder).catch(() => null)) !== null) {
    await rename(folder, join(await newFolder(trash), "check"));
  }
  await clearAway(trash);
}

const run = promisify(execFile);

/** Commands that ran here may have left paths too long for anybody who goes by path, or a mount. */
async function clearAway(folder: string): Promise<void> {
  try {
    await removeFolder(folder);
  } catch {
    await run("rm", ["-rf", "--", folder]).catch(() => {});
  }
}
