import { lstatSync } from "node:fs";
import { mkdir, mkdtemp, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClonePaths } from "../exec/project-paths.js";
import { readRecord } from "./clone-record.js";
import { importBranch } from "./import-branch.js";
import { savePatch } from "./save-patch.js";

/** What a clone held besides its commits, and where that is now. */
export type OldWork =
  | { readonly kind: "clean" }
  | { readonly kind: "patch"; readonly path: string }
  | { readonly kind: "kept" };

/** Whether anything at all, whatever it may be, stands where the clone belongs. */
export async function isThere(path: string): Promise<boolean> {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** A clone that was never finished has seen no agent, so there is nothing in it to lose. */
export async function holdsWork(paths: ClonePaths): Promise<boolean> {
  return (await isThere(paths.clone)) && (await readRecord(paths.record))?.stage !== "building";
}

/**
 * Saves all that a clone holds, so that it may be deleted: its commits to `repo.git`, the rest as a patch,
 * and where neither can carry it, the clone itself under another name.
 */
export async function saveOldWork(paths: ClonePaths, known: string | null, folder: string): Promise<OldWork> {
  await mkdir(folder, { recursive: true });
  const imported = await importBranch(paths, known);
  if (imported.kind === "refused") return keepWhole(paths, folder, imported.why);
  const saved = await savePatch(paths, imported.tip, folder);
  switch (saved.kind) {
    case "clean":
      return { kind: "clean" };
    case "patch":
      return saved;
    case "not-patchable":
      return keepWhole(paths, folder, "it holds work that does not fit into a patch");
  }
}

async function keepWhole(paths: ClonePaths, folder: string, why: string): Promise<OldWork> {
  await mkdir(paths.kept, { recursive: true });
  const place = join(await mkdtemp(join(paths.kept, `${paths.bead}-`)), "clone");
  await writeFile(join(folder, "kept.txt"), `${place}\n${why}\n`);
  await rename(paths.clone, place);
  return { kind: "kept" };
}
