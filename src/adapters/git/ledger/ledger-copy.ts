import { ledgerAdvice } from "../../../core/replies/ledger/ledger.js";
import { LedgerError } from "../../../core/run/ledger/ledger-error.js";
import type { LedgerView } from "../../../ports/ledger.js";
import { readLedgerCommits, writeLedgerCommit } from "./ledger-commits.js";
import type { Crossing } from "./ledger-lineage.js";
import { type LedgerRefMove, moveRefs, readLedgerRefs, SEEN_REF } from "./ledger-refs.js";
import { emptyReplay, type Folded, flatten, foldOn, knows, layerOn, replay } from "./ledger-replay.js";
import { openLedgerRepository } from "./ledger-repository.js";
import { loadSnapshot, saveSnapshot } from "./ledger-snapshot.js";
import { ledgerSubject } from "./ledger-subject.js";

export interface CopyFacts {
  readonly gitDir: string;
  readonly ref: string;
  readonly now: () => number;
  readonly snapshotEvery: number;
}

/**
 * This machine's copy of the chain: `ref` is its tip here, `refs/koryph/seen` the remote's tip below it, and
 * what lies between is ours to share. Other processes work on the same repository, so every move of a ref
 * says what it must move from, and what is in memory is only ever a guess at what the refs hold.
 */
export class LedgerCopy {
  readonly #facts: CopyFacts;
  #confirmed: Folded = emptyReplay();
  #local: Folded = layerOn(this.#confirmed);
  #stacked = true;
  #opened = false;
  #savedLines = 0;

  constructor(facts: CopyFacts) {
    this.#facts = facts;
  }

  /** The remote's tip as far as it is known here. */
  get confirmed(): Folded {
    return this.#confirmed;
  }

  get local(): Folded {
    return this.#local;
  }

  /** Whether our tip follows from the remote's. Not so only after a crash in the middle of a roll. */
  get stacked(): boolean {
    return this.#stacked;
  }

  get view(): LedgerView {
    return { tip: this.#local.tip, state: this.#local.state };
  }

  refuseReadOnly(): void {
    const { readOnly } = this.#local.state;
    if (readOnly !== null) throw new LedgerError("read-only", ledgerAdvice.readOnly(readOnly));
  }

  /** Brings memory to what the refs hold. */
  async sync(): Promise<void> {
    const { gitDir, ref } = this.#facts;
    if (!this.#opened) await openLedgerRepository(gitDir);
    const [local = null, seen = null] = await readLedgerRefs(gitDir, [ref, SEEN_REF]);
    if (this.#opened && local === this.#local.tip && seen === this.#confirmed.tip) return;
    if (seen !== this.#confirmed.tip) await this.#confirm(await this.#foldUpTo(seen));
    if (local === null && seen !== null) await moveRefs(gitDir, [{ ref, from: null, to: seen }]);
    const tip = local ?? seen;
    const stacked = await replay(gitDir, this.#confirmed, tip, "layer");
    this.#stacked = stacked !== null;
    this.#local = stacked ?? (await this.#foldUpTo(tip));
    this.#opened = true;
  }

  /** Records lines at once, after whatever other processes recorded here. */
  async append(lines: readonly string[]): Promise<void> {
    const { gitDir, ref } = this.#facts;
    if (!this.#opened) await this.sync();
    for (;;) {
      this.refuseReadOnly();
      const from = this.#local;
      const tip = await this.write(from.tip, lines).catch(async (error: unknown) => {
        // Another process may have purged the chain we were about to go on from.
        await this.sync();
        if (this.#local === from) throw error;
        return null;
      });
      if (tip === null) continue;
      if (await moveRefs(gitDir, [{ ref, from: from.tip, to: tip }])) {
        this.#local = foldOn(from, tip, lines);
        return;
      }
      await this.sync();
    }
  }

  write(parent: string | null, lines: readonly string[]): Promise<string> {
    const events = lines.map((line) => headOf(line) ?? { type: "?" });
    const subject = ledgerSubject(events);
    return writeLedgerCommit(this.#facts.gitDir, { parent, subject, lines, at: this.#facts.now() });
  }

  /** The remote took `tip`, whose own lines are these: a child of our tip, or the opening of a new chain. */
  async settle(tip: string, lines: readonly string[], as: "child" | "opening"): Promise<boolean> {
    if (!(await this.#move(tip, tip))) return false;
    await this.#confirm(flatten(foldOn(as === "child" ? this.#local : emptyReplay(), tip, lines)));
    this.#local = layerOn(this.#confirmed);
    return true;
  }

  /** The remote took everything up to our tip. */
  async shared(): Promise<void> {
    const { gitDir } = this.#facts;
    const tip = this.#local.tip;
    if (tip === null) return;
    if (await moveRefs(gitDir, [{ ref: SEEN_REF, from: this.#confirmed.tip, to: tip }])) {
      await this.#confirm(flatten(this.#local));
      this.#local = layerOn(this.#confirmed);
    } else await this.sync();
  }

  /** Puts what is only here after what the remote holds. False when the refs moved meanwhile: sync, try again. */
  async rebase(onto: Folded & { readonly tip: string }, crossing: Crossing | null): Promise<boolean> {
    const lines = await this.#unshared(onto, crossing);
    const tip = lines.length === 0 ? onto.tip : await this.write(onto.tip, lines);
    if (!(await this.#move(tip, onto.tip))) return false;
    await this.#confirm(onto);
    this.#local = foldOn(layerOn(onto), tip, lines);
    this.#stacked = true;
    return true;
  }

  async #unshared(onto: Folded & { readonly tip: string }, crossing: Crossing | null): Promise<string[]> {
    if (this.#local.tip === null) return [];
    const lines = new Map<string, string>();
    const seen = this.#confirmed.tip === null ? [] : [`^${this.#confirmed.tip}`];
    for await (const commits of readLedgerCommits(this.#facts.gitDir, [
      this.#local.tip,
      `^${onto.tip}`,
      ...seen,
    ])) {
      for (const line of commits.flatMap((commit) => commit.lines)) {
        // Also lines that only a newer koryph on this machine understands; those without an id are not ours.
        const head = headOf(line);
        if (head === null || head.type === "ledger.rolled" || knows(onto, head.id)) continue;
        if (!crossing?.passed.has(head.id) && !crossing?.dropped.has(head.id)) lines.set(head.id, line);
      }
    }
    return [...lines.values()];
  }

  #move(local: string, seen: string): Promise<boolean> {
    // Git moves them in this order, so a crash leaves `seen` behind our tip and never ahead of it: what is
    // between is then compared with the remote once more.
    const moves: LedgerRefMove[] = [
      { ref: this.#facts.ref, from: this.#local.tip, to: local },
      { ref: SEEN_REF, from: this.#confirmed.tip, to: seen },
    ];
    return moveRefs(this.#facts.gitDir, moves);
  }

  async #foldUpTo(tip: string | null): Promise<Folded> {
    const { gitDir } = this.#facts;
    const grown = this.#opened ? await replay(gitDir, this.#confirmed, tip, "whole") : null;
    if (grown !== null) return grown;
    const snapshot = await loadSnapshot(gitDir);
    const onSnapshot = snapshot.tip === null ? null : await replay(gitDir, snapshot, tip, "whole");
    if (onSnapshot !== null) this.#savedLines = linesOf(snapshot);
    return onSnapshot ?? (await replay(gitDir, emptyReplay(), tip, "whole")) ?? emptyReplay();
  }

  async #confirm(folded: Folded): Promise<void> {
    this.#confirmed = folded;
    if (Math.abs(linesOf(folded) - this.#savedLines) < this.#facts.snapshotEvery) return;
    // It only saves time: a disk that is full will be noticed by what has to be written.
    await saveSnapshot(this.#facts.gitDir, folded).catch(() => {});
    this.#savedLines = linesOf(folded);
  }
}

function linesOf({ state }: Folded): number {
  return state.events + state.quarantined;
}

function headOf(line: string): { id: string; type: string; bead?: string } | null {
  try {
    const { id, type, bead } = JSON.parse(line);
    if (typeof id !== "string" || typeof type !== "string") return null;
    return { id, type, ...(typeof bead === "string" ? { bead } : {}) };
  } catch {
    return null;
  }
}
