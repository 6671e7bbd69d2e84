import { type Bead, isClosed } from "../../core/model/bead.js";

/** Each call of bd starts a program that opens a database. What it said stays true for about a tick of the engine. */
const FRESH_MS = 10_000;
/** Two listings that are asked for within this time are asked for by the same tick. */
const SAME_TICK_MS = 1_000;

interface Frontier {
  readonly beads: readonly Bead[];
  readonly at: number;
}

/** What bd last said, with our own writes since. Nothing is asked again that this still answers. */
export class BdMemory {
  readonly #now: () => number;
  #all: Map<string, Bead> | null = null;
  #allAt = 0;
  /** By parent; the whole frontier has an empty one. */
  readonly #ready = new Map<string, Frontier>();
  /** Bead → in whose name it was claimed. */
  readonly #claims = new Map<string, string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  listed(beads: readonly Bead[]): void {
    this.#all = new Map(beads.map((bead) => [bead.id, bead]));
    this.#allAt = this.#now();
  }

  /** What bd calls ready below a parent, or everywhere for an empty one. It is newer than what was listed. */
  foundReady(parent: string, beads: readonly Bead[]): void {
    this.#ready.set(parent, { beads, at: this.#now() });
    for (const bead of beads) this.#set(bead.id, bead);
  }

  /** Null when bd has to be asked. Where the frontier is older, it is that one's turn: one listing a tick is enough. */
  all(): readonly Bead[] | null {
    if (this.#all === null) return null;
    const { at = this.#now() } = this.#ready.get("") ?? {};
    const otherFirst = this.#isOld(at) && at < this.#allAt;
    return this.#isOld(this.#allAt) && !otherFirst ? null : [...this.#all.values()];
  }

  ready(parent: string): readonly Bead[] | null {
    const kept = this.#ready.get(parent);
    if (kept === undefined) return null;
    if (this.#isOld(kept.at) && this.#now() - this.#allAt >= SAME_TICK_MS) return null;
    const listedSince = this.#allAt > kept.at;
    return kept.beads.filter(({ id }) => {
      const known = this.#all?.get(id);
      if (known === undefined) return !listedSince;
      return known.status === "open" && (!listedSince || this.#isFree(known));
    });
  }

  /** The bead as bd showed it a moment ago; undefined when that is too long ago, or it did not. */
  recent(id: string): Bead | undefined {
    return this.#isOld(this.#allAt) ? undefined : this.#all?.get(id);
  }

  /** A bead that was claimed through us, however long ago: bd lets nobody else close it. Undefined for any other. */
  claimed(id: string): Bead | undefined {
    const bead = this.#all?.get(id);
    return bead?.status === "in_progress" && bead.assignee === this.#claims.get(id) ? bead : undefined;
  }

  hasClaimed(id: string, who: string): void {
    this.#claims.set(id, who);
  }

  /** After a write of ours: what the bead is by now. */
  changed(id: string, fields: Pick<Bead, "status" | "assignee">): void {
    // A bead that nothing waits for makes no other ready.
    if (fields.status === "open" || (isClosed(fields) && this.#isWaitedFor(id))) this.#ready.clear();
    const before = this.#all?.get(id);
    if (before === undefined) this.#ready.clear();
    else this.#set(id, before, fields);
  }

  /** Other answers than a listing leave some fields out. */
  #set(id: string, bead: Bead, { status, assignee }: Pick<Bead, "status" | "assignee"> = bead): void {
    this.#all?.set(id, { ...(this.#all.get(id) ?? bead), status, assignee });
  }

  #isFree({ blockers }: Bead): boolean {
    return blockers.every((id) => {
      const blocker = this.#all?.get(id);
      return blocker === undefined || isClosed(blocker);
    });
  }

  #isWaitedFor(id: string): boolean {
    return [...(this.#all?.values() ?? [])].some(
      (bead) => !isClosed(bead) && (bead.blockers.some((blocker) => blocker === id) || bead.parent === id),
    );
  }

  #isOld(at: number): boolean {
    return this.#now() - at >= FRESH_MS;
  }
}
