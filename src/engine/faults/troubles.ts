import type { EngineParts } from "../engine-parts.js";

/** Says what is wrong once, for as long as it stays wrong: the engine looks every few seconds. */
export class Troubles {
  readonly #report: EngineParts["report"];
  /** What was said last, by what it is about. */
  readonly #said = new Map<string, string>();

  constructor(report: EngineParts["report"]) {
    this.#report = report;
  }

  /** Texts that differ are said each; with a `cause`, only causes that do. */
  say(about: string, what: string, cause = what): void {
    if (this.#said.get(about) === cause) return;
    this.#said.set(about, cause);
    this.#report({ kind: "trouble", what });
  }

  /** It went well again: the next failure is news. */
  over(about: string): void {
    this.#said.delete(about);
  }
}
