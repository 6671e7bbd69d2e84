import { randomUUID } from "node:crypto";
import * as core from "@actions/core";

/**
 * Lines for the step's log in which nothing is a command to the runner: they repeat what agents printed and what
 * people wrote. Commands count before `begin` and after `end`.
 */
export class PlainLog {
  readonly #word = randomUUID();
  #open = false;

  readonly say = (line: string): void => core.info(line);

  /** The commands that this gives to the runner count. */
  command(give: () => void): void {
    const wasOpen = this.#open;
    this.end();
    give();
    if (wasOpen) this.begin();
  }

  begin(): void {
    core.info(`::stop-commands::${this.#word}`);
    this.#open = true;
  }

  end(): void {
    if (this.#open) core.info(`::${this.#word}::`);
    this.#open = false;
  }
}
