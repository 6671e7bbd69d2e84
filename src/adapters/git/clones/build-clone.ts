import { copyFile, mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Leftover } from "../../../core/model/leftover.js";
import {
  CONFLICT_FILE,
  CONFLICT_PATCH,
  type ConflictFacts,
  conflictNote,
} from "../../../core/replies/run/worktrees.js";
import type { PrepareRequest } from "../../../ports/worktrees.js";
import { discard, removeFolder } from "../../files/remove-folder.js";
import { setRefs } from "../exec/move-refs-standing.js";
import type { ClonePaths } from "../exec/project-paths.js";
import { quietGit } from "../exec/quiet-git.js";
import { bootstrap, type ContainBootstrap } from "./bootstrap.js";
import { writeRecord } from "./clone-record.js";
import { type CloneFacts, layClone } from "./lay-clone.js";
import { isThere, type OldWork } from "./save-old-work.js";

export interface BuildFacts extends CloneFacts {
  readonly request: PrepareRequest;
  readonly bootstrapSeconds: number;
  readonly contain: ContainBootstrap | null;
  /** What the clone before this one held in no commit; a patch is put back. */
  readonly oldWork: OldWork;
  readonly passedOver: string | null;
  /** Commit of the default branch under the commits that the clone will hold. */
  readonly base: string;
  /** The same for the commits that the branch holds until then. */
  readonly leaving: string | null;
  /** What the agent must be told about its commits. */
  readonly conflict: Omit<ConflictFacts, "defaultBranch" | "base"> | null;
}

export type Built =
  | { readonly kind: "built"; readonly conflict: boolean; readonly leftover: Leftover }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Replaces the bead's clone by a new one. The caller has saved what the old one held. It is built under
 * another name and renamed into place; bootstrap runs there, since tools write down where they are. The
 * record says `ready` only after that, so a crash at any point is seen and built over.
 */
export async function buildClone(paths: ClonePaths, facts: BuildFacts): Promise<Built> {
  const { passedOver, base } = facts;
  const patch = facts.oldWork.kind === "patch" ? facts.oldWork.path : null;
  const begun = { patch, passedOver, base, leaving: facts.leaving };
  await writeRecord(paths.record, { stage: "building", ...begun });
  await discard(paths.clone, paths.trash);
  for (const left of [paths.trash, paths.making, paths.scratch, paths.incoming]) await removeFolder(left);
  const [laid] = await Promise.all([
    layClone(paths, facts),
    setRefs(paths.repo, `update ${paths.branch} ${facts.tip}\n`),
  ]);
  const fits = patch === null || (await putBack(paths.repo, laid.folder, patch));
  const why = facts.conflict ?? (fits ? null : { why: "uncommitted" as const, files: [] });
  if (why !== null) {
    const { defaultBranch, base: newest } = facts.refs;
    const note = conflictNote({ ...why, defaultBranch, base: newest });
    await leaveNote(laid.folder, facts.request.folder, note);
  }
  await mkdir(dirname(paths.clone), { recursive: true });
  await rename(laid.index, paths.index);
  await rename(laid.folder, paths.clone);
  await removeFolder(paths.making);
  const reason = await bootstrap({
    clone: paths.clone,
    folder: facts.request.folder,
    commands: facts.request.bootstrap,
    limitSeconds: facts.bootstrapSeconds,
    contain: facts.contain,
    objects: join(paths.repo, "objects"),
    abort: facts.request.abort,
  });
  if (reason !== null) return { kind: "failed", reason };
  const unfit = fits ? null : patch;
  await writeRecord(paths.record, { stage: "ready", conflict: why !== null, patch: unfit, passedOver, base });
  return {
    kind: "built",
    conflict: facts.conflict !== null,
    leftover: patch === null ? LEFT[facts.oldWork.kind] : fits ? "there" : "patch",
  };
}

const LEFT = { clean: "none", patch: "patch", kept: "kept" } as const;

/** False when the changes no longer fit; then the patch lies beside the note. */
async function putBack(repo: string, clone: string, patch: string): Promise<boolean> {
  const applied = await quietGit(repo, ["apply", "--whitespace=nowarn", patch], {
    env: { GIT_WORK_TREE: clone },
  });
  if (applied.code === 0) return true;
  if (!(await isThere(join(clone, CONFLICT_PATCH)))) await copyFile(patch, join(clone, CONFLICT_PATCH));
  return false;
}

/** A file of the project's own by that name is not touched; the caller finds the note in `folder` all the same. */
async function leaveNote(clone: string, folder: string, note: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, CONFLICT_FILE), note);
  if (!(await isThere(join(clone, CONFLICT_FILE)))) await writeFile(join(clone, CONFLICT_FILE), note);
}
