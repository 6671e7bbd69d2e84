import { logWords } from "../../core/replies/app/serve.js";
import type { Job } from "../../ports/inbox.js";
import { TryLater } from "../../ports/try-later.js";
import type { AppLog } from "../http/server-log.js";
import { failureText } from "../lanes/lane-failure.js";
import type { JobEnd } from "../lanes/lane-taker.js";

/** How the jobs of a run ended last. What waits for others has not failed. */
export class JobEnds {
  readonly #log: AppLog;
  readonly #failed = new Map<string, string>();
  readonly #troubles: string[] = [];

  constructor(log: AppLog) {
    this.#log = log;
  }

  note({ id, name }: Job, { kind, error }: JobEnd): void {
    if (kind === "done" || (kind === "postponed" && error instanceof TryLater)) {
      this.#failed.delete(id);
      if (kind !== "done") this.#log.info({ why: failureText(error) }, logWords.waits());
      return;
    }
    this.#failed.set(id, `${name}: ${error === undefined ? kind : failureText(error)}`);
    this.#log.warn({ err: error, job: id }, logWords.failed());
  }

  trouble(error: unknown): void {
    this.#troubles.push(failureText(error));
    this.#log.warn({ err: error }, logWords.failed());
  }

  failures(): readonly string[] {
    return [...this.#troubles, ...this.#failed.values()];
  }
}
