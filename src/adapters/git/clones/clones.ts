import { join, resolve } from "node:path";
import { worktreeAdvice, worktreeFinding } from "../../../core/replies/run/worktrees.js";
import { UserError } from "../../../lib/user-error.js";
import type { BesideMoves } from "../../../ports/ledger.js";
import type { Collected, Prepared, PrepareRequest, Worktrees } from "../../../ports/worktrees.js";
import { discard, removeFolder } from "../../files/remove-folder.js";
import { clearStaleLocks } from "../exec/clear-stale-locks.js";
import { setRefs } from "../exec/move-refs-standing.js";
import { type Identity, openRepo } from "../exec/open-repo.js";
import { type ClonePaths, clonePaths } from "../exec/project-paths.js";
import { quietOutput } from "../exec/quiet-git.js";
import { type BeadRefs, readRefs } from "../exec/read-refs.js";
import { isDirty } from "../exec/safe-status.js";
import { inspectBranch } from "../landing/inspect-branch.js";
import { inspectRange } from "../landing/inspect-range.js";
import { fetchDefaultBranch, fetchWip, type Tip } from "../remote/fetch-remote.js";
import type { Remote } from "../remote/remote.js";
import { askRemote } from "../remote/remote-refs.js";
import type { ContainBootstrap } from "./bootstrap.js";
import { moveWip, wipRef } from "./checkpoint.js";
import { readRecord } from "./clone-record.js";
import { importBranch } from "./import-branch.js";
import { type ClonesListing, listClones } from "./list-clones.js";
import { contains, prepareFresh, prepareResume } from "./prepare-clone.js";
import { holdsWork, isThere } from "./save-old-work.js";
import { SpareCheckout } from "./spare-checkout.js";

export interface ClonesFacts {
  /** `$KORYPH_HOME/projects/<id>`. */
  readonly projectHome: string;
  readonly operatorRepo: string;
  /** How the remote is reached now. */
  readonly openRemote: () => Promise<Remote>;
  /** As it was opened a moment ago, where somebody has. */
  readonly remote?: Remote;
  /** The branch that work lands on, where the project file names it. */
  readonly defaultBranch?: string | undefined;
  /** Who agents' commits are by, until the engine signs them. */
  readonly agentIdentity: Identity;
  /** Keeps a checkout of the default branch in reserve, for whoever is dispatched next. */
  readonly keepSpare?: boolean;
  /** Wall-clock limit of each bootstrap command. */
  readonly bootstrapSeconds?: number;
  /** Shuts bootstrap commands in. */
  readonly contain?: ContainBootstrap | null;
}

export interface BeadBranch {
  readonly tip: string;
  /** Tip of the default branch. */
  readonly base: string;
  /** Commits of the default branch that the clone was built on; none when that is not known. */
  readonly began: readonly string[];
}

const BOOTSTRAP_SECONDS = 1_200;
/** A landing asks for the branch several times within a second; what it takes to get there stays the same. */
const REMOTE_FRESH_MS = 3_000;

/** Of the commits that the clone was built on, the one that the branch still stands on; null when there is none. */
async function beganFrom(paths: ClonePaths, tip: string): Promise<string | null> {
  const record = await readRecord(paths.record);
  for (const began of [record?.base ?? null, record?.leaving ?? null])
    if (began !== null && (await contains(paths, tip, began))) return began;
  return null;
}

/** Agents' clones on this machine, and the repository of the engine's own that they borrow from. */
export class Clones implements Worktrees {
  readonly #facts: ClonesFacts;
  readonly #spare: SpareCheckout | null;
  #remote: Promise<Remote> | null = null;
  #reachedAt = Number.NEGATIVE_INFINITY;
  #opened: Promise<void> | null = null;
  #wip: ReadonlyMap<string, string> = new Map();

  constructor(facts: ClonesFacts) {
    const projectHome = resolve(facts.projectHome);
    this.#facts = { ...facts, projectHome };
    this.#spare = facts.keepSpare
      ? new SpareCheckout(join(projectHome, "repo.git"), join(projectHome, "spare"))
      : null;
    if (facts.remote === undefined) return;
    this.#remote = Promise.resolve(facts.remote);
    this.#reachedAt = performance.now();
  }

  async fetch(): Promise<Tip> {
    // Asked anew now and then: the operator may have changed the address or the credentials.
    if (performance.now() - this.#reachedAt > REMOTE_FRESH_MS) this.#remote = null;
    // What an agent wrote into its configuration meanwhile could lead the fetch elsewhere.
    this.#opened = null;
    const repo = await this.#repo();
    await clearStaleLocks(repo);
    const { wip, ...tip } = await fetchDefaultBranch(repo, await this.reach(), {
      operatorRepo: this.#facts.operatorRepo,
      asked: this.#facts.defaultBranch ?? null,
    });
    this.#wip = wip;
    return tip;
  }

  async prepare(request: PrepareRequest): Promise<Prepared> {
    const paths = this.#paths(request.bead);
    const facts = {
      request,
      refs: await this.#refs(paths),
      identity: this.#facts.agentIdentity,
      spare: this.#spare,
      bootstrapSeconds: this.#facts.bootstrapSeconds ?? BOOTSTRAP_SECONDS,
      contain: this.#facts.contain ?? null,
      savedElsewhere: this.#wip.get(request.bead) ?? null,
      fetchWip: async () => fetchWip(paths.repo, await this.reach(), request.bead),
    };
    const prepared = await (request.start === "fresh"
      ? prepareFresh(paths, facts)
      : prepareResume(paths, facts));
    this.#spare?.make(facts.refs.base);
    return prepared;
  }

  pathOf(bead: string): string {
    return this.#paths(bead).clone;
  }

  async state(bead: string): Promise<"absent" | "ready" | "unfinished"> {
    const paths = this.#paths(bead);
    const record = await readRecord(paths.record);
    const there = await isThere(paths.clone);
    if (record?.stage === "ready" && there) return "ready";
    return there || record?.stage === "building" || (await isThere(paths.making)) ? "unfinished" : "absent";
  }

  async collect(bead: string): Promise<Collected> {
    const paths = this.#paths(bead);
    const { refs, work, unreadable, tip } = await this.#bring(paths);
    const odd = unreadable === null ? [] : [worktreeFinding.unreadable(unreadable)];
    if (tip === null) return { head: null, began: null, commits: 0, dirty: work, findings: odd };
    const [{ commits, findings }, dirty, began] = await Promise.all([
      inspectBranch(paths.repo, refs.base, tip),
      work && isDirty(paths, tip),
      beganFrom(paths, tip),
    ]);
    return { head: tip, began, commits, dirty, findings: [...odd, ...findings] };
  }

  /** The bead's branch, brought in from its clone; null when there is none. */
  async branch(bead: string): Promise<BeadBranch | null> {
    const paths = this.#paths(bead);
    const [{ refs, tip }, record] = await Promise.all([this.#bring(paths), readRecord(paths.record)]);
    if (tip === null) return null;
    const began = [record?.base ?? null, record?.leaving ?? null].filter((sha) => sha !== null);
    return { tip, base: refs.base, began };
  }

  /** Whether the bead's clone holds work that is in no commit, as far as that can be told; false without a clone. */
  async isDirty(bead: string): Promise<boolean> {
    const paths = this.#paths(bead);
    if (!(await holdsWork(paths))) return false;
    const { work, unreadable, tip } = await this.#bring(paths);
    return work && (unreadable !== null || tip === null || (await isDirty(paths, tip)));
  }

  async #bring(paths: ClonePaths) {
    const refs = await this.#refs(paths);
    const work = await holdsWork(paths);
    const imported = work ? await importBranch(paths, refs.tip) : null;
    const here = imported?.kind === "imported" ? imported.tip : refs.tip;
    // Nothing here at all: the bead was worked on elsewhere, and what was saved of it is on the remote.
    const tip = here === null && !work ? await this.#savedTip(paths) : here;
    return { refs, work, tip, unreadable: imported?.kind === "refused" ? imported.why : null };
  }

  /** Null when nothing is saved there, or it cannot be asked. */
  async #savedTip(paths: ClonePaths): Promise<string | null> {
    const found = await fetchWip(paths.repo, await this.reach(), paths.bead).catch((error: unknown) => {
      if (error instanceof UserError) return false;
      throw error;
    });
    if (!found) return null;
    const ref = wipRef(paths.bead);
    return (await quietOutput(paths.repo, ["rev-parse", "--verify", `${ref}^{commit}`])).trimEnd();
  }

  async checkpoint(bead: string): Promise<void> {
    const paths = this.#paths(bead);
    const { tip, base } = await this.#refs(paths);
    if (tip === null || (await contains(paths, base, tip))) return;
    const { secrets } = await inspectRange(paths.repo, { base, head: tip });
    if (secrets.length > 0) throw UserError.of(worktreeAdvice.notSaved(bead, secrets));
    await moveWip(paths, await this.reach(), tip);
  }

  async unsaved(beads: readonly string[]): Promise<BesideMoves> {
    const repo = await this.#repo();
    const moves = await Promise.all(beads.map((bead) => this.#unsavedOf(this.#paths(bead))));
    return { refs: moves.filter((move) => move !== null), objects: join(repo, "objects") };
  }

  async #unsavedOf(paths: ClonePaths) {
    const { tip: known, wip: from, base } = await this.#refs(paths);
    // An agent at work may be in the middle of something: what cannot be read now is saved another time.
    const imported = (await holdsWork(paths)) ? await importBranch(paths, known) : null;
    const to = imported?.kind === "imported" ? imported.tip : known;
    if (to === null || to === from || (await contains(paths, base, to))) return null;
    // The remote never forgets what it was sent once. The checkpoint at the agent's end says so.
    if ((await inspectRange(paths.repo, { base, head: to })).secrets.length > 0) return null;
    return { ref: wipRef(paths.bead), from, to };
  }

  async noteSaved(refs: BesideMoves["refs"]): Promise<void> {
    if (refs.length === 0) return;
    await setRefs(await this.#repo(), refs.map(({ ref, to }) => `update ${ref} ${to}\n`).join(""));
  }

  /** Takes the bead's saved work off the remote, once it has landed or is given up. */
  async removeWip(bead: string): Promise<void> {
    await this.#repo();
    const paths = this.#paths(bead);
    const [refs, remote] = await Promise.all([readRefs(paths), this.reach()]);
    // Most beads that land at once never had any: then one question is all it takes.
    if (!refs?.wip && (await askRemote(remote, [wipRef(bead)])).tips.size === 0) return;
    await moveWip(paths, remote, null);
  }

  async remove(bead: string): Promise<"removed" | "kept-dirty" | "absent"> {
    const paths = this.#paths(bead);
    const there = await isThere(paths.clone);
    if (await holdsWork(paths)) {
      const { tip } = await this.#refs(paths);
      const imported = await importBranch(paths, tip);
      if (imported.kind === "refused" || (await isDirty(paths, imported.tip))) return "kept-dirty";
    }
    await discard(paths.clone, paths.trash);
    for (const folder of [paths.making, paths.scratch, paths.own, paths.trash]) await removeFolder(folder);
    return there ? "removed" : "absent";
  }

  /** Drops the bead's branch, kept earlier tips and what was made of them for landing from `repo.git`. */
  async removeBranch(bead: string): Promise<void> {
    const paths = this.#paths(bead);
    const { old, tip, candidate } = await this.#refs(paths);
    const refs = [
      ...(tip === null ? [] : [paths.branch]),
      ...(candidate === null ? [] : [paths.candidate]),
      ...[...old.keys()].map((n) => `refs/koryph/old/${bead}/${n}`),
    ];
    if (refs.length === 0) return;
    await setRefs(paths.repo, refs.map((ref) => `delete ${ref}\n`).join(""));
  }

  /** All that is here and could be tidied away. */
  async list(): Promise<ClonesListing> {
    await this.#repo();
    const { projectHome } = this.#facts;
    return listClones(projectHome, await this.reach(), (bead) => this.state(bead));
  }

  #paths(bead: string): ClonePaths {
    return clonePaths(this.#facts.projectHome, bead);
  }

  async #refs(paths: ClonePaths): Promise<BeadRefs> {
    await this.#repo();
    const refs = await readRefs(paths);
    if (refs !== null) return refs;
    await this.fetch();
    const fetched = await readRefs(paths);
    if (fetched === null) throw new Error(`${paths.repo} has no default branch after a fetch`);
    return fetched;
  }

  async #repo(): Promise<string> {
    const repo = join(this.#facts.projectHome, "repo.git");
    this.#opened ??= openRepo(repo, this.#facts.agentIdentity);
    await this.#opened.catch((error) => {
      this.#opened = null;
      throw error;
    });
    return repo;
  }

  /** Where work goes to and comes from, as it was when last fetched. */
  reach(): Promise<Remote> {
    if (this.#remote !== null) return this.#remote;
    const opening = this.#facts.openRemote();
    this.#remote = opening;
    this.#reachedAt = performance.now();
    opening.catch(() => {
      this.#remote = null;
    });
    return opening;
  }
}
