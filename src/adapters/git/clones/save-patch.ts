import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, mkdir, open, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ClonePaths } from "../exec/project-paths.js";
import { quietGit, quietOutput } from "../exec/quiet-git.js";
import { TrappedError, withWorkView } from "../exec/safe-status.js";

export type Saved =
  | { readonly kind: "clean" }
  | { readonly kind: "patch"; readonly path: string }
  /** There is work that no patch can carry: a repository within, or files that cannot be read. */
  | { readonly kind: "not-patchable" };

/** Writes what the clone has beyond `tip`, untracked files included, as a patch into `folder`. */
export async function savePatch(paths: ClonePaths, tip: string, folder: string): Promise<Saved> {
  await mkdir(folder, { recursive: true });
  try {
    return await patchOf(paths, tip, folder);
  } catch (error) {
    if (error instanceof TrappedError) return { kind: "not-patchable" };
    throw error;
  }
}

function patchOf(paths: ClonePaths, tip: string, folder: string): Promise<Saved> {
  return withWorkView(paths, tip, async ({ git, env }) => {
    // What is staged for the patch goes with the view.
    const added = await quietGit(git, ["add", "--all", "--", "."], { env });
    if (added.code !== 0) return { kind: "not-patchable" };
    const entries = await quietOutput(git, ["ls-files", "--stage"], { env });
    if (/^160000 /m.test(entries)) return { kind: "not-patchable" };
    const patch = join(git, "patch");
    await quietOutput(git, [...DIFF, `--output=${patch}`, tip, "--"], { env });
    if ((await stat(patch)).size === 0) return { kind: "clean" };
    return { kind: "patch", path: await putInto(folder, patch) };
  });
}

const DIFF = [
  ...["diff", "--cached", "--binary", "--full-index", "--no-color", "--no-renames"],
  ...["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"],
];

/** Named after its content, so that saving the same work again after a crash adds nothing. */
async function putInto(folder: string, patch: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(patch), hash);
  const path = join(folder, `wip-${hash.digest("hex").slice(0, 12)}.patch`);
  // Run folders may be on another disk, where a rename would not reach.
  await copyFile(patch, `${path}.new`);
  const file = await open(`${path}.new`, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  return path;
}
