import type { CommitSignature } from "../core/land/commit-signature.js";
import type { LandFacts, LandRules } from "../core/land/decide-landing.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import type { Base, RangeFacts, Repo } from "../ports/repo.js";

/** Reads what a landing is decided on. Whatever cannot have changed since it was last read is not read again. */
export class LandingFacts {
  readonly #repo: Repo;
  readonly #rules: Omit<LandRules, "method" | "allowProtected">;
  #dirty: Promise<boolean> | null = null;
  #range: { readonly head: string; readonly facts: Promise<RangeFacts> } | null = null;
  #signatures: { readonly of: string; readonly list: Promise<readonly CommitSignature[]> } | null = null;
  #gated = "";

  constructor(repo: Repo, rules: Omit<LandRules, "method" | "allowProtected">) {
    this.#repo = repo;
    this.#rules = rules;
  }

  /** The gate was green on this commit. */
  passed(head: string): void {
    this.#gated = head;
  }

  async read(landing: Landing, base: Base): Promise<LandFacts> {
    const { method, allowProtected, moves, head } = landing;
    // Looked at once: from here on the clone has no say in what lands.
    this.#dirty ??= this.#repo.isDirty(landing.bead);
    const [dirty, range, signatures] = await Promise.all([
      this.#dirty,
      this.#rangeOf(landing),
      this.#rules.signingRequired ? this.#signaturesOf(landing, base) : [],
    ]);
    return {
      rules: { ...this.#rules, method, allowProtected },
      dirty,
      ...range,
      signatures,
      baseMoved: base.tip !== landing.base,
      moves,
      gated: this.#gated === head,
    };
  }

  #rangeOf({ base, head }: Landing): Promise<RangeFacts> {
    if (this.#range?.head !== head) this.#range = { head, facts: this.#repo.range({ base, head }) };
    return this.#range.facts;
  }

  /** Judged anew for every tip of the default branch: the list of signers is that branch's. */
  #signaturesOf({ base, head }: Landing, { tip }: Base): Promise<readonly CommitSignature[]> {
    const of = `${head} ${tip}`;
    if (this.#signatures?.of !== of)
      this.#signatures = { of, list: this.#repo.signatures(tip, { base, head }) };
    return this.#signatures.list;
  }
}
