import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parseBeadId } from "../../core/model/bead.js";
import { worktreeFinding } from "../../core/replies/worktrees.js";
import { UserError } from "../../lib/user-error.js";
import type { Collected, Prepared, PrepareRequest, Worktrees } from "../../ports/worktrees.js";
import { moveWip } from "./checkpoint.js";
import { clearStaleLocks } from "./clear-stale-locks.js";
import { readRecord } from "./clone-record.js";
import { askRemote, fetchDefaultBranch, fetchWip, type Tip } from "./fetch-remote.js";
import { importBranch } from "./import-branch.js";
import { inspectBranch } from "./inspect-branch.js";
import { type Identity, openRepo } from "./open-repo.js";
import { contains, prepareFresh, prepareResume } from "./prepare-clone.js";
import { type ClonePaths, clonePaths } from "./project-paths.js";
import { quietOutput } from "./quiet-git.js";
import { type BeadRefs, readRefs } from "./read-refs.js";
import { openRemote, type Remote } from "./remote.js";
import { discard, removeFolder } from "./remove-folder.js";
import { isDirty } from "./safe-status.js";
import { holdsWork, isThere } from "./save-old-work.js";
import { SpareCheckout } from "./spare-checkout.js";

export interface ClonesFacts {
  /** `$KORYPH_HOME/projects/<id>`. */
  readonly projectHome: string;
  readonly operatorRepo: string;
  readonly remoteName: string;
  /** Who agents' commits are by, until the engine signs them. */
  readonly agentIdentity: Identity;
  /** Keeps a checkout of the default branch in reserve, for whoever is dispatched next. */
  readonly keepSpare?: boolean;
  /** Wall-clock limit of each bootstrap command. */
  readonly bootstrapSeconds?: number;
}

export interface ListedClone {
  readonly bead: string;
  readonly state: "ready" | "unfinished";
  /** When its record last changed, in ms: prepared, or begun to be. */
  readonly preparedAt: number;
}

export interface ListedRef {
  readonly bead: string;
  readonly ref: string;
  readonly sha: string;
}

export interface ClonesListing {
  readonly clones: readonly ListedClone[];
  /** `agent/<bead>` and kept earlier tips, in `repo.git`. */
  readonly refs: readonly ListedRef[];
  /** Saved work on the remote. */
  readonly wip: readonly ListedRef[];
  /** Old clones that could only be kept whole. */
  readonly kept: readonly string[];
}

const BOOTSTRAP_SECONDS = 1_200;

/** Agents' clones on this machine, and the repository of the engine's own that they borrow from. */
export class Clones implements Worktrees {
  readonly #facts: ClonesFacts;
  readonly #spare: SpareCheckout | null;
  #remote: Promise<Remote> | null = null;
  #opened: Promise<void> | null = null;
  #wip: ReadonlyMap<string, string> = new Map();

  constructor(facts: ClonesFacts) {
    const projectHome = resolve(facts.projectHome);
    this.#facts = { ...facts, projectHome };
    this.#spare = facts.keepSpare
      ? new SpareCheckout(join(projectHome, "repo.git"), join(projectHome, "spare"))
      : null;
  }

  async fetch(): Promise<Tip> {
    // Asked anew each time: the operator may have changed the address or the credentials.
    this.#remote = null;
    const repo = await this.#repo();
    await clearStaleLocks(repo);
    const { wip, ...tip } = await fetchDefaultBranch(repo, await this.#reach(), this.#facts.operatorRepo);
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
      savedElsewhere: this.#wip.get(request.bead) ?? null,
      fetchWip: async () => fetchWip(paths.repo, await this.#reach(), request.bead),
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
    const before = await this.#refs(paths);
    const work = await holdsWork(paths);
    const imported = work ? await importBranch(paths, before.tip) : null;
    const here = imported?.kind === "imported" ? imported.tip : before.tip;
    // Nothing here at all: the bead was worked on elsewhere, and what was saved of it is on the remote.
    const tip = here === null && !work ? await this.#savedTip(paths) : here;
    const odd = imported?.kind === "refused" ? [worktreeFinding.unreadable(imported.why)] : [];
    if (tip === null) return { head: null, commits: 0, dirty: work, findings: odd };
    const [{ commits, findings }, dirty] = await Promise.all([
      inspectBranch(paths.repo, before.base, tip),
      work && isDirty(paths, tip),
    ]);
    return { head: tip, commits, dirty, findings: [...odd, ...findings] };
  }

  /** Null when nothing is saved there, or it cannot be asked. */
  async #savedTip(paths: ClonePaths): Promise<string | null> {
    const found = await fetchWip(paths.repo, await this.#reach(), paths.bead).catch((error: unknown) => {
      if (error instanceof UserError) return false;
      throw error;
    });
    if (!found) return null;
    const ref = `refs/koryph/wip/${paths.bead}`;
    return (await quietOutput(paths.repo, ["rev-parse", "--verify", `${ref}^{commit}`])).trimEnd();
  }

  async checkpoint(bead: string): Promise<void> {
    const paths = this.#paths(bead);
    const { tip, base } = await this.#refs(paths);
    if (tip === null || (await contains(paths, base, tip))) return;
    await moveWip(paths, await this.#reach(), tip);
  }

  /** Takes the bead's saved work off the remote, once it has landed or is given up. */
  async removeWip(bead: string): Promise<void> {
    await this.#repo();
    await moveWip(this.#paths(bead), await this.#reach(), null);
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

  /** Drops the bead's branch and kept earlier tips from `repo.git`. */
  async removeBranch(bead: string): Promise<void> {
    const paths = this.#paths(bead);
    const { old, tip } = await this.#refs(paths);
    const refs = [...old.keys()].map((n) => `refs/koryph/old/${bead}/${n}`);
    const input = [...(tip === null ? [] : [paths.branch]), ...refs].map((ref) => `delete ${ref}\n`).join("");
    await quietOutput(paths.repo, ["update-ref", "--stdin"], { input });
  }

  /** All that is here and could be tidied away. */
  async list(): Promise<ClonesListing> {
    const repo = await this.#repo();
    const home = this.#facts.projectHome;
    const names = new Set([
      ...(await entries(join(home, "clones"))),
      ...(await entries(join(home, "making"))),
    ]);
    const listing = await quietOutput(repo, [
      "for-each-ref",
      "--format=%(objectname)\t%(refname)",
      ...["refs/heads/agent", "refs/koryph/old"],
    ]);
    return {
      clones: await Promise.all([...names].filter(isBead).map((bead) => this.#listed(bead))),
      refs: listedRefs(listing),
      wip: listedRefs(await askRemote(await this.#reach(), ["refs/koryph/wip/*"])),
      kept: (await entries(join(home, "kept"))).map((name) => join(home, "kept", name)),
    };
  }

  async #listed(bead: string): Promise<ListedClone> {
    const paths = this.#paths(bead);
    const { mtimeMs } = await stat(paths.record).catch(() => stat(dirname(paths.clone)));
    return {
      bead,
      state: (await this.state(bead)) === "ready" ? "ready" : "unfinished",
      preparedAt: mtimeMs,
    };
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

  #reach(): Promise<Remote> {
    this.#remote ??= openRemote(this.#facts.operatorRepo, this.#facts.remoteName);
    return this.#remote;
  }
}

async function entries(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function isBead(name: string): boolean {
  return parseBeadId(name) !== null;
}

/** Lines of `<commit><tab><ref>`; the bead is the part of the ref that follows its kind. */
function listedRefs(listing: string): ListedRef[] {
  return listing.split("\n").flatMap((line) => {
    const [sha = "", ref = ""] = line.split("\t");
    const bead = /^refs\/(?:heads\/agent|koryph\/(?:old|wip))\/([^/]+)/.exec(ref)?.[1];
    return bead === undefined || !isBead(bead) ? [] : [{ bead, ref, sha }];
  });
}
