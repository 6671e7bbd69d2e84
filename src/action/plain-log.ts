import { randomUUID } from "node:crypto";
import * as core from "@actions/core";

/**
 * Lines for the step's log in which nothing is a command to the runner: they repeat what agents printed and what
 * people wrote. Commands count again after `end`.
 */
export class PlainLog {
  readonly #word = randomUUID();
  #open = true;

  constructor() {
    core.info(`::stop-commands::${this.#word}`);
  }

  readonly say = (line: string): void => core.info(line);

  end(): void {
    if (this.#open) core.info(`::${this.#word}::`);
    this.#open = false;
  }
}
