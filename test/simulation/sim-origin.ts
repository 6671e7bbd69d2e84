import type { LedgerEvent } from "../../src/core/run/ledger/ledger-event.js";
import type { Chance } from "./chance.js";
import { SimHistory } from "./sim-history.js";

/** A head that koryph put on the default branch. */
export interface OwnPush {
  readonly bead: string;
  readonly head: string;
  /** The ledger has known of it. What becomes of the bead after that is another story. */
  recorded: boolean;
  /** Somebody opened the bead again, and wants it done again. */
  reopened: boolean;
}

export interface OwnReceipt {
  readonly commit: string;
  readonly previous: string | null;
  readonly landing: string;
  readonly head: string;
}

/** What everybody shares: the ledger's chain, the default branch, and work that was saved. */
export class SimOrigin {
  readonly chain: LedgerEvent[] = [];
  readonly history = new SimHistory();
  readonly wip = new Map<string, string>();
  /** Branches of koryph's own, by name. */
  readonly branches = new Map<string, string>();
  /** In the order of their numbers, which begin with 1. */
  readonly pulls: { readonly number: number; readonly branch: string; isOpen: boolean }[] = [];
  /** Heads on which somebody's gate was green. */
  readonly green = new Set<string>();
  readonly pushed: OwnPush[] = [];
  /** The chain of receipts, oldest first. */
  readonly receipts: OwnReceipt[] = [];
  /** Receipts that were written, whether or not the chain ever got them. */
  readonly drafts = new Map<string, OwnReceipt>();
  /** The first thing that should never have happened. Whoever caused it may well catch the error. */
  violation: Error | null = null;
  tip: string;
  #tips: string[];
  #ids = 0;

  constructor() {
    this.tip = this.history.root;
    this.#tips = [this.tip];
  }

  nextId(): string {
    this.#ids += 1;
    return this.#ids.toString().padStart(26, "0");
  }

  violate(what: string): never {
    this.violation ??= new Error(what);
    throw this.violation;
  }

  /** Whether the default branch has it, or had it at some time. */
  had(sha: string): boolean {
    return this.#tips.some((tip) => this.history.isAncestor(sha, tip));
  }

  has(sha: string): boolean {
    return this.history.isAncestor(sha, this.tip);
  }

  moveTo(tip: string): void {
    this.tip = tip;
    this.#tips.push(tip);
    const works = this.history.worksOf(tip);
    const twice = works.find((work, index) => works.indexOf(work) !== index);
    if (twice !== undefined) this.violate(`the default branch has work ${twice} twice`);
  }

  /** Koryph's own push. The branch is where it was expected; the rest is what landing has to have seen to. */
  land(bead: string, from: string, head: string): void {
    if (from !== this.tip) this.violate("a push without its lease");
    if (!this.history.isAncestor(from, head)) this.violate(`${bead} was pushed over what others pushed`);
    if (!this.green.has(head)) this.violate(`${bead} landed as ${head}, on which no gate was green`);
    const foreign = this.history.since(head, from).find((commit) => commit.bead !== bead);
    if (foreign !== undefined) this.violate(`${bead} landed together with a commit of ${foreign.bead}`);
    const before = this.pushed.find((push) => push.bead === bead && !push.reopened && this.has(push.head));
    if (before !== undefined) this.violate(`${bead} landed as ${before.head} and again as ${head}`);
    this.moveTo(head);
    this.pushed.push({ bead, head, recorded: false, reopened: false });
  }

  get receiptTip(): string | null {
    return this.receipts.at(-1)?.commit ?? null;
  }

  /** False when the chain is somewhere else by now. */
  moveReceipts(from: string | null, to: string): boolean {
    if (from !== this.receiptTip) return false;
    const draft = this.drafts.get(to);
    if (draft === undefined || draft.previous !== from) this.violate(`${to} does not follow ${from}`);
    const { landing, head } = draft;
    if (this.receipts.some((each) => each.landing === landing && each.head === head))
      this.violate(`the landing of ${head} has two receipts`);
    this.receipts.push(draft);
    return true;
  }

  /** Other people push, take commits back, or land a bead's work by hand. Says what they did. */
  outsider(chance: Chance, heads: readonly string[]): string {
    const { history } = this;
    const what = chance.below(10);
    if (what === 0 && this.tip !== history.root) {
      let tip = this.tip;
      for (let back = 1 + chance.below(3); back > 0; back -= 1) tip = history.get(tip).parent ?? history.root;
      this.moveTo(tip);
      return `took the default branch back to ${tip}`;
    }
    if (what <= 2 && heads.length > 0) {
      const head = chance.pick(heads);
      const forward = history.isAncestor(this.tip, head) && chance.percent(50);
      const tip = forward ? head : history.replay(history.since(head, this.tip), this.tip, { person: true });
      if (tip === this.tip) return "had nothing to do by hand";
      this.moveTo(tip);
      return `landed ${head} by hand as ${tip}`;
    }
    this.moveTo(history.addOutside(this.tip));
    return `pushed ${this.tip}`;
  }
}
