import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Identity } from "./open-repo.js";
import type { ClonePaths } from "./project-paths.js";
import { quietGit, quietOutput } from "./quiet-git.js";
import { newFolder, removeFolder } from "./remove-folder.js";
import { layScratch } from "./scratch-repo.js";

export type Rebased =
  | { readonly kind: "rebased"; readonly tip: string }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  /** Replaying would drop the merges, and with them whatever was decided in them. */
  | { readonly kind: "merges" };

/**
 * Replays the commits of `tip` that `base` lacks onto `base`, in a repository made for the purpose and
 * removed afterwards. Only files in conflict are ever written out; new commits go straight to `repo.git`.
 */
export async function rebaseBranch(
  paths: ClonePaths,
  { base, tip, identity }: { readonly base: string; readonly tip: string; readonly identity: Identity },
): Promise<Rebased> {
  const range = `${base}..${tip}`;
  const merges = await quietOutput(paths.repo, ["rev-list", "--merges", "--max-count=1", range]);
  if (merges !== "") return { kind: "merges" };
  const place = await newFolder(paths.scratch);
  const [git, tree] = [join(place, "git"), join(place, "tree")];
  try {
    await mkdir(tree, { recursive: true });
    await layScratch(git, { repo: paths.repo, head: tip, identity, sparse: true });
    const env = { GIT_WORK_TREE: tree, GIT_OBJECT_DIRECTORY: join(paths.repo, "objects") };
    await quietOutput(git, ["read-tree", "-m", "-u", tip], { env });
    const answer = await quietGit(git, ["rebase", "--quiet", "--no-autostash", "--onto", base, base], {
      env,
    });
    if (answer.code === 0) {
      return { kind: "rebased", tip: (await readFile(join(git, "HEAD"), "utf8")).trim() };
    }
    const unmerged = await quietGit(git, ["diff", "--name-only", "--diff-filter=U", "-z"], { env });
    return { kind: "conflict", files: unmerged.stdout.split("\0").filter((name) => name !== "") };
  } finally {
    await removeFolder(place);
  }
}
