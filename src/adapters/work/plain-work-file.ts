import { type BigIntStats, lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { workAdvice } from "../../core/replies/config/work.js";
import { workFileAdvice } from "../../core/replies/config/work-file.js";
import { OutsideFault } from "../../ports/outside-fault.js";
import { operatorGit } from "../git/exec/operator-git.js";

export const WORK_FOLDER = ".koryph";
export const WORK_FILE = `${WORK_FOLDER}/beads.jsonl`;

/**
 * Changes whenever the file does. Throws unless the work file is a plain file in a plain folder: git says of a link that
 * it is not tracked, and nothing of where it leads.
 */
export function workFileVersion(root: string): string {
  const path = join(root, WORK_FILE);
  const folder = look(join(root, WORK_FOLDER), path);
  if (!folder.isDirectory()) throw new OutsideFault(workFileAdvice.notAFolder(join(root, WORK_FOLDER)));
  const file = look(path, path);
  if (!file.isFile()) throw new OutsideFault(workFileAdvice.notAFile(path));
  return versionOf(file);
}

function look(place: string, workFile: string): BigIntStats {
  try {
    const found = lstatSync(place, { bigint: true });
    if (found.isSymbolicLink()) throw new OutsideFault(workFileAdvice.link(place));
    return found;
  } catch (error) {
    if (error instanceof OutsideFault) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OutsideFault(
      code === "ENOENT" ? workAdvice.absent(workFile) : workAdvice.unreadable(workFile, message),
    );
  }
}

/** A tracked work file could be changed by the very branches it asks for. That is no fault of the bead at hand. */
export async function refuseTracked(root: string): Promise<void> {
  const path = join(root, WORK_FILE);
  // Where letters of both cases name the same file, a branch may track it under another spelling.
  const here = realpathSync(root);
  const index = indexVersion(here);
  if (index !== null && index === untracked.get(here)) return;
  const listed = await operatorGit(here, ["ls-files", "-z", "--", `:(icase,literal)${WORK_FILE}`]);
  if (listed === null) return;
  if (listed.code !== 0) throw new OutsideFault(workFileAdvice.gitFailed(path, listed.stderr));
  const [tracked = ""] = listed.stdout.split("\0");
  if (tracked !== "") throw new OutsideFault(workAdvice.tracked(path, tracked));
  if (index !== null) untracked.set(here, index);
}

/** The versions of git's index in which the work file was not tracked: an engine looks at every tick. */
const untracked = new Map<string, string>();

/** Changes with git's list of tracked files; null where it is not in its usual place. */
function indexVersion(root: string): string | null {
  try {
    const found = lstatSync(join(root, ".git", "index"), { bigint: true });
    return found.isFile() ? versionOf(found) : null;
  } catch {
    return null;
  }
}

/** A rewrite by rename changes the inode even within one clock tick. */
function versionOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(":");
}
