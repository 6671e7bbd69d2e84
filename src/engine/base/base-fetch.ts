import { UserError } from "../../lib/user-error.js";
import type { EngineParts } from "../engine-parts.js";
import type { Troubles } from "../faults/troubles.js";

/**
 * Keeps the default branch known here as it is on the remote. Several dispatches at once share one question, and
 * an answer is good for a while, so that asking is mostly over before a dispatch needs it.
 */
export class BaseFetch {
  readonly #parts: EngineParts;
  readonly #freshMs: number;
  #last: { readonly at: number; readonly tip: Promise<string> } | null = null;

  #known: string | null = null;
  readonly #troubles: Troubles;

  constructor(parts: EngineParts, freshMs: number, troubles: Troubles) {
    this.#parts = parts;
    this.#freshMs = freshMs;
    this.#troubles = troubles;
  }

  /** Starts asking for what will be needed soon. */
  ahead(): void {
    this.fetch().catch(() => {});
  }

  /** Where the remote cannot be asked, what was fetched last has to do. */
  async fetch(): Promise<void> {
    try {
      await this.tip();
      this.#troubles.over("base");
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#troubles.say("base", error.message);
    }
  }

  /** What the last answer was, which agents start from until the next; null before the first. */
  get known(): string | null {
    return this.#known;
  }

  /** It has moved: the next one who asks is told anew. */
  forget(): void {
    this.#last = null;
  }

  /** The commit that agents start from. Throws where the remote cannot be asked. */
  tip(): Promise<string> {
    const now = this.#parts.now();
    const age = this.#last === null ? Number.POSITIVE_INFINITY : now - this.#last.at;
    // A clock that was set back must not make an old answer a fresh one.
    if (this.#last === null || age < 0 || age >= this.#freshMs) this.#last = { at: now, tip: this.#ask() };
    return this.#last.tip;
  }

  async #ask(): Promise<string> {
    try {
      const { base } = await this.#parts.worktrees.fetch();
      this.#known = base;
      return base;
    } catch (error) {
      this.#last = null;
      throw error;
    }
  }
}
