import type { CommitSignature } from "../core/land/commit-signature.js";
import { ORDINARY } from "../core/land/content/range-content.js";
import type { ArrivedMove, LandFacts } from "../core/land/decide-landing.js";
import type { LandRules } from "../core/land/judge-branch.js";
import { standingOf } from "../core/land/landing-queue.js";
import type { LandRefusal } from "../core/land/refusal.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import type { Ledger } from "../ports/ledger.js";
import type { Base, RangeFacts, Repo } from "../ports/repo.js";
import type { PullOpener } from "./pull-opener.js";

type WorkFacts = RangeFacts & Pick<LandFacts, "dirty" | "signatures" | "checkoutObstacle">;

/** What is known of commits that nobody looked at. */
const UNREAD: WorkFacts = {
  total: 0,
  dirty: false,
  commits: [],
  paths: [],
  findings: [],
  secrets: [],
  content: ORDINARY,
  empty: true,
  tree: "",
  signatures: [],
  checkoutObstacle: null,
};

/** The facts of one step, and the default branch that they hold for. */
export interface KnownFacts extends LandFacts {
  readonly commits: RangeFacts["commits"];
  readonly tree: string;
  readonly base: Base;
}

interface FactsParts {
  readonly ledger: Ledger;
  readonly repo: Repo;
  readonly opener?: PullOpener | undefined;
}

/** Reads what a landing is decided on. Whatever cannot have changed since it was last read is not read again. */
export class LandingFacts {
  readonly #ledger: Ledger;
  readonly #repo: Repo;
  readonly #opener: PullOpener | undefined;
  readonly #rules: Omit<LandRules, "method" | "allowProtected">;
  #dirty: Promise<boolean> | null = null;
  #range: { readonly head: string; readonly facts: Promise<RangeFacts> } | null = null;
  #signatures: { readonly of: string; readonly list: Promise<readonly CommitSignature[]> } | null = null;
  #gated = "";

  constructor({ ledger, repo, opener }: FactsParts, rules: Omit<LandRules, "method" | "allowProtected">) {
    this.#ledger = ledger;
    this.#repo = repo;
    this.#opener = opener;
    this.#rules = rules;
  }

  /** The gate was green on this commit. */
  passed(head: string): void {
    this.#gated = head;
  }

  async read(landing: Landing): Promise<KnownFacts> {
    const { method, allowProtected, moves, head, branch } = landing;
    const repo = this.#repo;
    // What others appended is asked of the remote before it is pushed; until then a look at our own copy will do.
    const standing = standingOf((await this.#ledger.observe([])).state, landing);
    const base = await repo.fetchBase();
    const arrived = base.branch === branch ? await this.#arrived(landing, base) : null;
    const here = await repo.has(head);
    const isOver = standing.kind !== "open" || arrived !== null || !here;
    return {
      standing,
      arrived,
      here,
      branch: { asked: branch, found: base.branch, checkedOut: base.elsewhere },
      rules: { ...this.#rules, method, allowProtected },
      ...(isOver ? UNREAD : await this.#workOf(landing, base)),
      baseMoved: base.tip !== landing.base,
      moves,
      pull: landing.kind === "open-pull" ? { missing: isOver ? null : await this.#missing() } : null,
      gated: this.#gated === head,
      base,
    };
  }

  /** What of the landing is on the default branch; null when nothing is. */
  async #arrived({ base, head, intended }: Landing, { tip }: Base): Promise<ArrivedMove | null> {
    // Our commits come after the branch as it is, so they cannot be on it.
    if (base === tip && intended === null) return null;
    if (intended !== null && (await this.#isNewOn(intended, tip))) return intended;
    const ours = { from: base, head };
    return (await this.#isNewOn(ours, tip)) ? ours : null;
  }

  /** Whether the branch has `head` and did not have it before: whoever can push can name any commit as ours. */
  async #isNewOn({ from, head }: ArrivedMove, tip: string): Promise<boolean> {
    const repo = this.#repo;
    if (!(await repo.has(head)) || !(await repo.isAncestor(head, tip))) return false;
    return !(await repo.isAncestor(head, from));
  }

  #missing(): Promise<LandRefusal | null> {
    return this.#opener?.missing() ?? Promise.resolve(null);
  }

  async #workOf(landing: Landing, base: Base): Promise<WorkFacts> {
    // Looked at once: from here on the clone has no say in what lands.
    this.#dirty ??= this.#repo.isDirty(landing.bead);
    const [dirty, range, signatures, checkoutObstacle] = await Promise.all([
      this.#dirty,
      this.#rangeOf(landing),
      this.#rules.signingRequired ? this.signaturesOf(landing, base) : [],
      this.#repo.checkoutObstacle(landing.branch, landing),
    ]);
    return { dirty, ...range, signatures, checkoutObstacle };
  }

  /** Of every commit that is to land, also where nobody asks for any. */
  signaturesOf({ base, head }: Landing, { tip }: Base): Promise<readonly CommitSignature[]> {
    const of = `${head} ${tip}`;
    // Judged anew for every tip of the default branch: the list of signers is that branch's.
    if (this.#signatures?.of !== of)
      this.#signatures = { of, list: this.#repo.signatures(tip, { base, head }) };
    return this.#signatures.list;
  }

  #rangeOf({ base, head }: Landing): Promise<RangeFacts> {
    if (this.#range?.head !== head) this.#range = { head, facts: this.#repo.range({ base, head }) };
    return this.#range.facts;
  }
}
