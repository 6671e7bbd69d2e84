export interface SimCommit {
  readonly sha: string;
  readonly parent: string | null;
  readonly depth: number;
  /** Whose work it is; null for other people's. */
  readonly bead: string | null;
  /** The pieces of work it holds. They stay the same when it is signed, replayed or squashed. */
  readonly works: readonly number[];
  readonly subject: string;
  readonly signed: boolean;
  readonly person: boolean;
  readonly paths: readonly string[];
  /** The account of its author, where that matters. */
  readonly by?: number | undefined;
}

export type NewCommit = Omit<SimCommit, "sha" | "depth">;

/** Every commit that anybody ever made. Who has which is another matter. */
export class SimHistory {
  readonly #commits = new Map<string, SimCommit>();
  readonly root: string;
  #works = 0;

  constructor() {
    this.root = this.add({ ...OUTSIDE, parent: null, works: [] });
  }

  nextWork(): number {
    this.#works += 1;
    return this.#works;
  }

  add(commit: NewCommit): string {
    // Its first digits tell it from every other, as people expect who write no more than those.
    const sha = (this.#commits.size + 1).toString(16).padStart(8, "0").repeat(5);
    const depth = commit.parent === null ? 0 : this.get(commit.parent).depth + 1;
    this.#commits.set(sha, { ...commit, sha, depth });
    return sha;
  }

  /** Other people's commit. */
  addOutside(parent: string): string {
    return this.add({ ...OUTSIDE, parent, works: [this.nextWork()] });
  }

  get(sha: string): SimCommit {
    const commit = this.#commits.get(sha);
    if (commit === undefined) throw new Error(`there is no commit ${sha}`);
    return commit;
  }

  isAncestor(ancestor: string, sha: string): boolean {
    const { depth } = this.get(ancestor);
    let at = this.get(sha);
    while (at.depth > depth && at.parent !== null) at = this.get(at.parent);
    return at.sha === ancestor;
  }

  /** The commits of `head` that none of the others has, oldest first. */
  since(head: string, ...others: readonly string[]): SimCommit[] {
    const found: SimCommit[] = [];
    for (let at: string | null = head; at !== null; ) {
      const sha: string = at;
      if (others.some((other) => this.isAncestor(sha, other))) break;
      const commit = this.get(sha);
      found.unshift(commit);
      at = commit.parent;
    }
    return found;
  }

  /** Every piece of work in a commit's history, as often as it is there. */
  worksOf(sha: string): number[] {
    const works: number[] = [];
    for (let at: string | null = sha; at !== null; ) {
      const commit: SimCommit = this.get(at);
      works.push(...commit.works);
      at = commit.parent;
    }
    return works;
  }

  /** Makes the commits again on top of another one; what that has already is left out, as git does. */
  replay(commits: readonly SimCommit[], onto: string, change: Partial<NewCommit> = {}): string {
    const there = new Set(this.worksOf(onto));
    let head = onto;
    for (const { sha, depth, ...commit } of commits) {
      const works = commit.works.filter((work) => !there.has(work));
      if (commit.works.length > 0 && works.length === 0) continue;
      head = this.add({ ...commit, works, ...change, parent: head });
    }
    return head;
  }
}

const OUTSIDE = { bead: null, subject: "feat: others", signed: true, person: true, paths: ["src/other.ts"] };
