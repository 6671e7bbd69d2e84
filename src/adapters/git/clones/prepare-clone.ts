import { realpath, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Leftover } from "../../../core/model/leftover.js";
import { CONFLICT_FILE, CONFLICT_PATCH } from "../../../core/replies/run/worktrees.js";
import type { Prepared, PrepareRequest } from "../../../ports/worktrees.js";
import { followsCommit } from "../exec/ancestry.js";
import type { Identity } from "../exec/open-repo.js";
import type { ClonePaths } from "../exec/project-paths.js";
import { quietGit, quietOutput } from "../exec/quiet-git.js";
import { type BeadRefs, keepOld, readRefs } from "../exec/read-refs.js";
import { isDirty } from "../exec/safe-status.js";
import { rebaseBranch } from "../landing/rebase-branch.js";
import type { ContainBootstrap } from "./bootstrap.js";
import { type BuildFacts, buildClone } from "./build-clone.js";
import { type CloneRecord, readRecord, writeRecord } from "./clone-record.js";
import { importBranch } from "./import-branch.js";
import { holdsWork, isThere, type OldWork, saveOldWork } from "./save-old-work.js";
import type { SpareCheckout } from "./spare-checkout.js";

export interface PrepareFacts {
  readonly request: PrepareRequest;
  readonly refs: BeadRefs;
  readonly identity: Identity;
  readonly spare: SpareCheckout | null;
  readonly bootstrapSeconds: number;
  readonly contain: ContainBootstrap | null;
  /** Work of this bead that the remote had when it was last asked. */
  readonly savedElsewhere: string | null;
  /** Brings the work saved on the remote into `repo.git`; false when there is none. */
  readonly fetchWip: () => Promise<boolean>;
}

/** A new clone on the default branch; whatever an earlier attempt left is saved first. */
export async function prepareFresh(paths: ClonePaths, facts: PrepareFacts): Promise<Prepared> {
  let { refs } = facts;
  const record = await readRecord(paths.record);
  let oldWork = await unfinishedWork(record);
  if (await holdsWork(paths)) {
    const saved = await saveOldWork(paths, refs.tip, facts.request.folder);
    // An attempt that changed nothing has not taken up the patch it was offered.
    if (saved.kind !== "clean") oldWork = saved;
    refs = (await readRefs(paths)) ?? refs;
  }
  if (refs.tip !== null && !(await contains(paths, refs.base, refs.tip))) {
    await keepOld(paths, refs.old, refs.tip);
    // Changes to commits that are left behind make no sense without them.
    oldWork = { kind: "clean" };
  }
  const passedOver = facts.savedElsewhere;
  const leaving = record?.base ?? null;
  const empty = { tip: refs.base, base: refs.base, leaving, oldWork, conflict: null };
  return build(paths, { ...facts, ...empty, refs, passedOver });
}

/** The clone with the commits there are, on top of the default branch where they can be replayed onto it. */
export async function prepareResume(paths: ClonePaths, facts: PrepareFacts): Promise<Prepared> {
  const { request, identity } = facts;
  const work = await holdsWork(paths);
  const imported = work ? await importBranch(paths, facts.refs.tip) : null;
  const local = imported?.kind === "imported" ? imported.tip : facts.refs.tip;
  const record = await readRecord(paths.record);
  const foreign = await foreignWip(paths, facts, record);
  const tip = foreign ?? local ?? facts.refs.base;
  const refs = (await readRefs(paths)) ?? facts.refs;
  if (local !== null && !(await contains(paths, tip, local))) await keepOld(paths, refs.old, local);

  const here = [record?.leaving ?? null, record?.base ?? null];
  // What another machine saved stands on what that machine had, as the ledger has it.
  const recorded = request.began ?? null;
  const stoodOn = foreign === null ? [...here, recorded] : [recorded, ...here];
  const removed = await removedBase(paths, stoodOn, { tip, base: refs.base });
  const upToDate = removed === null && (await contains(paths, tip, refs.base));
  if (upToDate && record?.stage === "ready" && imported?.kind === "imported" && imported.tip === tip) {
    await tidy(paths, record.conflict);
    if (record.base !== refs.base) await writeRecord(paths.record, { ...record, base: refs.base });
    return ready(paths, refs, tip, { conflict: false, leftover: await leftIn(paths, tip, record) });
  }
  const rebased = upToDate
    ? { kind: "rebased" as const, tip }
    : await rebaseBranch(paths, { onto: refs.base, base: removed ?? refs.base, tip, identity });
  const saved: OldWork = work ? await saveOldWork(paths, refs.tip, request.folder) : { kind: "clean" };
  // Whoever has committed since had its chance to take from the patch what was needed.
  const isBare = !work || (await contains(paths, refs.base, tip));
  const oldWork = saved.kind === "clean" && isBare ? await unfinishedWork(record) : saved;
  const passedOver = record?.passedOver ?? null;
  const bases = { base: removed ?? refs.base, leaving: removed ?? record?.base ?? null };
  const same = { ...facts, ...bases, refs, tip, oldWork, passedOver };
  switch (rebased.kind) {
    case "rebased":
      return build(paths, { ...same, tip: rebased.tip, base: refs.base, conflict: null });
    case "conflict":
      return build(paths, { ...same, conflict: { why: "commits", files: rebased.files } });
    case "merges":
      return build(paths, { ...same, conflict: { why: "merges", files: [] } });
  }
}

/**
 * The commit of the default branch that the bead's commits stand on, where that branch was since rewound behind
 * it; null where it still has it. What others took back must not return as part of the bead's work.
 */
async function removedBase(
  paths: ClonePaths,
  stoodOn: readonly (string | null)[],
  { tip, base }: { readonly tip: string; readonly base: string },
): Promise<string | null> {
  for (const began of stoodOn) {
    if (began === null || (await contains(paths, base, began))) continue;
    if (await contains(paths, tip, began)) return began;
  }
  return null;
}

/** What a clone that stays as it is holds besides its commits. */
async function leftIn(paths: ClonePaths, tip: string, { patch }: CloneRecord): Promise<Leftover> {
  if (await isDirty(paths, tip)) return "there";
  return patch !== null && (await isThere(join(paths.clone, CONFLICT_PATCH))) ? "patch" : "none";
}

/** The work that a build which was cut short still had to put back, or that nobody has taken over yet. */
async function unfinishedWork(record: CloneRecord | null): Promise<OldWork> {
  const path = record?.patch ?? null;
  return path !== null && (await isThere(path)) ? { kind: "patch", path } : { kind: "clean" };
}

async function build(paths: ClonePaths, facts: BuildFacts): Promise<Prepared> {
  const built = await buildClone(paths, facts);
  return built.kind === "failed" ? built : ready(paths, facts.refs, facts.tip, built);
}

async function ready(
  paths: ClonePaths,
  refs: BeadRefs,
  tip: string,
  { conflict, leftover }: Pick<Extract<Prepared, { kind: "ready" }>, "conflict" | "leftover">,
): Promise<Prepared> {
  const path = paths.clone;
  if (tip === refs.base)
    return { kind: "ready", conflict, leftover, facts: { path, base: tip, head: tip, commits: 0 } };
  const [count, fork] = await Promise.all([
    quietOutput(paths.repo, ["rev-list", "--count", `${refs.base}..${tip}`]),
    quietGit(paths.repo, ["merge-base", refs.base, tip]),
  ]);
  // Histories that share nothing have no fork point; the work then starts from nowhere we know.
  const base = fork.code === 0 ? fork.stdout.trimEnd() : refs.base;
  return { kind: "ready", conflict, leftover, facts: { path, base, head: tip, commits: Number(count) } };
}

/**
 * Work that another machine saved since this one last had the bead; null when the remote has nothing new.
 * Every tip of ours is in the branch's reflog, also one whose push was cut short by a crash.
 */
async function foreignWip(
  paths: ClonePaths,
  facts: PrepareFacts,
  record: CloneRecord | null,
): Promise<string | null> {
  if (!(await facts.fetchWip())) return null;
  const wip = (await readRefs(paths))?.wip ?? null;
  if (wip === record?.passedOver) return null;
  const log = await quietGit(paths.repo, ["log", "--walk-reflogs", "--format=%H", paths.branch, "--"]);
  return wip === null || log.stdout.split("\n").includes(wip) ? null : wip;
}

/** Whether `tip` has `commit` in its history. */
export async function contains(paths: ClonePaths, tip: string, commit: string): Promise<boolean> {
  return (await followsCommit(paths.repo, commit, tip)) === true;
}

/** Takes away what a killed git, or the note of an overcome conflict, left in a clone that goes on being used. */
async function tidy({ clone, branch }: ClonePaths, hadConflict: boolean): Promise<void> {
  const place = join(await realpath(dirname(clone)), basename(clone));
  const locks = ["index.lock", "HEAD.lock", "config.lock", `${branch}.lock`].map((name) =>
    join(".git", name),
  );
  // The patch stays: the attempt before may have ended without a look at it.
  for (const name of hadConflict ? [...locks, CONFLICT_FILE] : locks) {
    const path = join(place, name);
    const folder = await realpath(dirname(path)).catch(() => null);
    // A folder that is a link would lead the deletion astray.
    if (folder === dirname(path)) await rm(path, { force: true }).catch(() => {});
  }
}
