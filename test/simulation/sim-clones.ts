import type { Candidate, Rebased } from "../../src/ports/repo.js";
import type { Collected, Prepared, Worktrees } from "../../src/ports/worktrees.js";
import type { Chance } from "./chance.js";
import type { SimOrigin } from "./sim-origin.js";

/** Commits that were made on another machine and never brought here. */
export class Missing extends Error {}

interface SimClone {
  head: string;
  /** The commit of the default branch that its work stands on, and the one it was to stand on. */
  began: string;
  onto: string;
  dirty: boolean;
  conflict: boolean;
}

/** What an agent commits before it ends. */
export interface Work {
  readonly commits: number;
  readonly dirty: boolean;
}

/** One machine's clones and its `repo.git`: commits are where somebody brought them, and nowhere else. */
export class SimClones {
  readonly origin: SimOrigin;
  readonly chance: Chance;
  readonly clones = new Map<string, SimClone>();
  /** `agent/<bead>` and what was made of it, in `repo.git`. */
  readonly branches = new Map<string, string>();
  readonly candidates = new Map<string, string>();
  readonly #passedOver = new Map<string, string>();
  readonly #own = new Set<string>();
  readonly #objects = new Set<string>();
  /** How often work does not fit onto what others did. */
  conflictPercent = 12;
  /** The default branch as it was when last fetched. */
  base: string;

  constructor(origin: SimOrigin, chance: Chance) {
    this.origin = origin;
    this.chance = chance;
    this.base = origin.tip;
    this.bring(this.base);
  }

  fetch(): string {
    this.base = this.origin.tip;
    this.bring(this.base);
    return this.base;
  }

  /** A commit and its whole history. */
  bring(sha: string): string {
    const { history } = this.origin;
    for (let at: string | null = sha; at !== null && !this.#objects.has(at); at = history.get(at).parent)
      this.#objects.add(at);
    return sha;
  }

  knows(sha: string): boolean {
    return this.#objects.has(sha);
  }

  mustKnow(sha: string): void {
    if (!this.knows(sha)) throw new Missing(`${sha} is not in this repository`);
  }

  /** The bead's branch as its clone has it; where there is none, what another machine saved; else null. */
  tipOf(bead: string): string | null {
    const clone = this.clones.get(bead);
    if (clone) this.branches.set(bead, this.bring(clone.head));
    const here = this.branches.get(bead) ?? null;
    const saved = this.origin.wip.get(bead) ?? null;
    return here === null && saved !== null ? this.bring(saved) : here;
  }

  candidate(bead: string): Candidate | null {
    const { history } = this.origin;
    const head = this.tipOf(bead);
    if (head === null) return null;
    const began = this.clones.get(bead)?.began ?? this.base;
    const [oldest] = history.since(head, this.base, began).filter((commit) => commit.bead === bead);
    return oldest === undefined ? null : { base: oldest.parent ?? history.root, head };
  }

  rebase({ base, head }: Candidate, onto: string): Rebased {
    const { history } = this.origin;
    if (onto === base) return { kind: "rebased", head };
    if (this.chance.percent(this.conflictPercent)) return { kind: "conflict", files: ["src/file.ts"] };
    return { kind: "rebased", head: this.bring(history.replay(history.since(head, base), onto)) };
  }

  /** What an agent does to its clone in the end. */
  work(bead: string, { commits, dirty }: Work): void {
    const { history } = this.origin;
    const { chance } = this;
    const clone = this.clones.get(bead);
    if (!clone) return;
    const own = history.since(clone.head, clone.began);
    if (clone.conflict && chance.percent(80)) {
      clone.head = history.replay(own, clone.onto);
      clone.began = clone.onto;
      clone.conflict = false;
    } else if (own.length > 0 && chance.percent(50))
      clone.head = history.replay(own, own[0]?.parent ?? clone.began, {
        subject: "fix: better",
        signed: false,
      });
    for (let left = commits; left > 0; left -= 1) {
      clone.head = history.add({
        parent: clone.head,
        bead,
        works: chance.percent(96) ? [history.nextWork()] : [],
        subject: chance.percent(94) ? "feat: work" : "some work",
        signed: false,
        person: false,
        paths: [chance.percent(98) ? "src/file.ts" : ".github/workflows/ci.yml"],
      });
    }
    clone.dirty = dirty;
  }

  /** A person adds a commit of their own to what an agent left. */
  touch(bead: string): void {
    const { history } = this.origin;
    const clone = this.clones.get(bead);
    if (!clone || clone.head === clone.began) return;
    const works = [history.nextWork()];
    const own = { parent: clone.head, bead, works, subject: "fix: by hand", paths: ["src/file.ts"] };
    clone.head = history.add({ ...own, signed: this.chance.percent(50), person: true });
  }

  remove(bead: string): "removed" | "kept-dirty" | "absent" {
    const clone = this.clones.get(bead);
    if (!clone) return "absent";
    if (clone.dirty) return "kept-dirty";
    this.branches.set(bead, this.bring(clone.head));
    this.clones.delete(bead);
    return "removed";
  }

  worktreePort(): Worktrees {
    return {
      fetch: async () => ({ defaultBranch: "main", base: this.fetch() }),
      prepare: async ({ bead, start, began }) =>
        start === "fresh" ? this.#fresh(bead) : this.#resume(bead, began ?? null),
      pathOf: (bead) => `/clones/${bead}`,
      state: async (bead) => (this.clones.has(bead) ? "ready" : "absent"),
      collect: async (bead) => this.#collect(bead),
      checkpoint: async (bead) => {
        const tip = this.branches.get(bead);
        if (tip === undefined || this.origin.history.isAncestor(tip, this.base)) return;
        this.#own.add(tip);
        this.origin.wip.set(bead, tip);
      },
      unsaved: async (beads) => ({
        refs: beads.flatMap((bead) => {
          const clone = this.clones.get(bead);
          if (clone) this.branches.set(bead, this.bring(clone.head));
          const to = this.branches.get(bead);
          const from = this.origin.wip.get(bead) ?? null;
          if (to === undefined || to === from || this.origin.history.isAncestor(to, this.base)) return [];
          return [{ ref: `refs/koryph/wip/${bead}`, from, to }];
        }),
        objects: "",
      }),
      noteSaved: async (refs) => {
        for (const { to } of refs) this.#own.add(to);
      },
      remove: async (bead) => this.remove(bead),
    };
  }

  #fresh(bead: string): Prepared {
    const saved = this.origin.wip.get(bead);
    if (saved !== undefined) this.#passedOver.set(bead, saved);
    return this.#built(bead, this.base, this.base);
  }

  #resume(bead: string, stoodOn: string | null): Prepared {
    const { history } = this.origin;
    const { base } = this;
    const before = this.clones.get(bead);
    const saved = this.origin.wip.get(bead) ?? null;
    const foreign =
      saved === null || this.#own.has(saved) || this.#passedOver.get(bead) === saved ? null : saved;
    const tip = this.bring(foreign ?? before?.head ?? this.branches.get(bead) ?? base);
    // What others took off the default branch since must not come back as part of the bead's work.
    const here = before?.began ?? base;
    const bases = foreign === null || stoodOn === null ? [base, here] : [base, here, this.bring(stoodOn)];
    const own = history.since(tip, ...bases).filter((commit) => commit.bead === bead);
    const began = own[0]?.parent ?? base;
    const dirty = before?.dirty ?? false;
    if (began === base || own.length === 0)
      return this.#built(bead, own.length === 0 ? base : tip, base, dirty);
    const rebased = this.rebase({ base: began, head: tip }, base);
    return rebased.kind === "rebased"
      ? this.#built(bead, rebased.head, base, dirty)
      : this.#built(bead, tip, began, dirty);
  }

  #built(bead: string, head: string, began: string, dirty = false): Prepared {
    const { base } = this;
    const conflict = began !== base;
    this.clones.set(bead, { head, began, onto: base, dirty, conflict });
    this.branches.set(bead, this.bring(head));
    this.#own.add(head);
    const commits = this.origin.history.since(head, base).length;
    const leftover = dirty ? "there" : "none";
    return { kind: "ready", conflict, leftover, facts: { path: `/clones/${bead}`, base, head, commits } };
  }

  #collect(bead: string): Collected {
    const head = this.tipOf(bead);
    const dirty = this.clones.get(bead)?.dirty ?? false;
    if (head === null) return { head, began: null, commits: 0, dirty, findings: [] };
    this.#own.add(head);
    const { history } = this.origin;
    const stood = this.clones.get(bead)?.began ?? null;
    const began = stood !== null && history.isAncestor(stood, head) ? stood : null;
    return { head, began, commits: history.since(head, this.base).length, dirty, findings: [] };
  }
}
