import { setImmediate as nextRound } from "node:timers/promises";
import type { Kysely, Transaction } from "kysely";

interface Entry<Tables> {
  work(db: Transaction<Tables>): Promise<void>;
  settle(): void;
  fail(error: unknown): void;
}

/** So that one transaction never holds up the others for long. */
const MOST_TOGETHER = 500;

/**
 * Writes that arrive together are one transaction, and are answered when it is on the disk: a hundred deliveries
 * then cost one wait for the disk, not a hundred.
 */
export class GroupCommit<Tables> {
  readonly #db: Kysely<Tables>;
  #waiting: Entry<Tables>[] = [];
  #running: Promise<void> | null = null;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** `work` may be done twice, of which once is undone: where another one's failed, each is done by itself. */
  write<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, fail) => {
      let settle = () => {};
      this.#waiting.push({
        work: async (db) => {
          const result = await work(db);
          settle = () => resolve(result);
        },
        settle: () => settle(),
        fail,
      });
      this.#running ??= this.#run();
    });
  }

  /** Returns when nothing is waiting. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Whatever else came in with this round of the event loop goes along.
      await nextRound();
      const batch = this.#waiting.splice(0, MOST_TOGETHER);
      await this.#commit(batch);
    }
    this.#running = null;
  }

  async #commit(batch: readonly Entry<Tables>[]): Promise<void> {
    try {
      await this.#db.transaction().execute(async (db) => {
        for (const { work } of batch) await work(db);
      });
    } catch (error) {
      if (batch.length === 1) for (const { fail } of batch) fail(error);
      else for (const entry of batch) await this.#commit([entry]);
      return;
    }
    for (const { settle } of batch) settle();
  }
}
